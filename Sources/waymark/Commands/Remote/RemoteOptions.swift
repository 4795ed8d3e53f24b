import ArgumentParser
import StrictJSON

/// The options of commands that use the API, and their output.
struct RemoteOptions: ParsableArguments {
    @Option(help: "The API's address. The default is WAYMARK_URL or http://127.0.0.1:8080.") var url: String?
    @Flag(help: "Print JSON.") var json = false

    /// Returns the body of a successful answer.
    /// - Throws: The exit code for a refusal, after printing the reason.
    func accepted(_ answer: RemoteAPI.Answer) throws -> JSONValue {
        if (200...299).contains(answer.status) { return answer.body }
        if json { try say(answer.body, "") }
        Console.complain(answer.complaint)
        GateReportText.lines(answer.body["report"]).forEach { Console.complain("  \($0)") }
        switch answer.status {
        case 409, 412: throw Ending.notRight
        case 422: throw answer.code == "gate_refused" ? Ending.notRight : Ending.usage
        default: throw Ending.failed
        }
    }

    /// Prints the answer as JSON or as text.
    func say(_ value: JSONValue, _ words: @autoclosure () -> String) throws {
        if json { return try Console.say(value) }
        let text = words()
        if !text.isEmpty { try Console.say(text) }
    }
}

extension RemoteAPI {
    /// The time during which an unavailable API is retried.
    static let patience = Duration.seconds(120)
    /// The interval between requests while waiting for an end.
    static let interval = Duration.milliseconds(500)

    /// Sends a GET request for an existing resource. Retries an unavailable API, with a message on standard error.
    /// - Throws: ``Unreachable`` if the API stays unavailable.
    func patiently(_ path: String) async throws -> Answer {
        let begin = ContinuousClock.now
        while true {
            do {
                let answer = try await get(path)
                guard ![429, 503].contains(answer.status) else { throw Unreachable(description: answer.detail) }
                return answer
            } catch let error as Unreachable {
                guard ContinuousClock.now - begin < Self.patience else { throw error }
                Console.complain("\(error); trying again")
                try await Task.sleep(for: .seconds(2))
            }
        }
    }

    /// Waits until the resource at a path no longer has one of the passing states. Prints the lines of its progress to
    /// standard error, without duplicates.
    func ending(
        of made: JSONValue, at path: String, through states: Set<String>, _ options: RemoteOptions,
        progress: (JSONValue) -> [String] = { _ in [] }
    ) async throws -> JSONValue {
        var (current, told) = (made, Set<String>())
        while true {
            for line in progress(current) where told.insert(line).inserted { Console.complain(line) }
            guard let state = current["state"]?.string, states.contains(state) else { return current }
            try await Task.sleep(for: Self.interval)
            current = try options.accepted(try await patiently(path))
        }
    }

    /// Returns all items of a list, page by page, with retries if `isPatient`.
    func all(_ path: String, _ options: RemoteOptions, patiently isPatient: Bool = false) async throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor: String?
        repeat {
            let query = (path.contains("?") ? "&" : "?") + "limit=200" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page = try options.accepted(try await isPatient ? patiently(path + query) : get(path + query))
            items += page["items"]?.array ?? []
            cursor = page["next"]?.string
        } while cursor != nil
        return items
    }

    /// Warns on standard error if no domain has the label. This is allowed, because a domain can get the label later,
    /// but the label may be misspelled. Errors are ignored, because this is only a hint.
    func warnIfUnused(_ label: String?) async {
        guard let label, let answer = try? await get("/v1/domains?label=\(Self.segment(label))&limit=1") else { return }
        if answer.status == 200, answer.body["items"]?.array?.isEmpty == true {
            Console.complain("waymark: warning: no domain has the label \(label) yet")
        }
    }

    /// Reports on standard error if the organization has no such domain. An empty list would not show this. Errors are
    /// ignored, because this is only a hint.
    ///
    /// - Returns: Whether the domain does not exist.
    func reportsMissingDomain(_ host: String) async -> Bool {
        guard let answer = try? await get("/v1/domains/\(Self.segment(host))"), answer.status == 404 else {
            return false
        }
        Console.complain(answer.complaint)
        return true
    }
}

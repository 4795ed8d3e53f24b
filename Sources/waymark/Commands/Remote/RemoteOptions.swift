import ArgumentParser
import StrictJSON

/// The options of all commands that use the API, and functions to print results.
struct RemoteOptions: ParsableArguments {
    @Option(help: "The API's address. The default is WAYMARK_URL or http://127.0.0.1:8080.") var url: String?
    @Flag(help: "Print JSON.") var json = false

    /// Returns the body of a successful response.
    /// - Throws: The exit code if the API refused the request. The reason is printed first.
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

    /// Prints a result as JSON or as text.
    func say(_ value: JSONValue, _ words: @autoclosure () -> String) throws {
        if json { return try Console.say(value) }
        let text = words()
        if !text.isEmpty { try Console.say(text) }
    }
}

extension RemoteAPI {
    /// How long requests to an unavailable API are retried.
    static let patience = Duration.seconds(120)
    /// The interval between requests while a command waits for a resource.
    static let interval = Duration.milliseconds(500)

    /// Sends a GET request for an existing resource. If the API is unavailable, prints a message to standard error and
    /// retries.
    /// - Throws: ``Unreachable`` if the API stays unavailable.
    func patiently(_ path: String) async throws -> Answer {
        try await retrying { (try await get(path), ()) }.0
    }

    /// Does the same for a request whose response is not JSON.
    func downloadPatiently(_ path: String) async throws -> (Answer, [UInt8]) {
        try await retrying { try await download(path) }
    }

    private func retrying<Content>(_ request: () async throws -> (Answer, Content)) async throws -> (Answer, Content) {
        let begin = ContinuousClock.now
        while true {
            do {
                let answer = try await request()
                guard ![429, 503].contains(answer.0.status) else { throw Unreachable(description: answer.0.detail) }
                return answer
            } catch let error as Unreachable {
                guard ContinuousClock.now - begin < Self.patience else { throw error }
                Console.complain("\(error); trying again")
                try await Task.sleep(for: .seconds(2))
            }
        }
    }

    /// Waits until the state of the resource at `path` is not in `states`, and returns the resource. Meanwhile, prints
    /// each new line of its progress to standard error.
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

    /// Returns all items of a list, page by page. Retries if `isPatient` is true.
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

    /// Warns on standard error if no domain has the label, because it may be misspelled. Ignores errors of this
    /// request.
    func warnIfUnused(_ label: String?) async {
        guard let label, let answer = try? await get("/v1/domains?label=\(Self.segment(label))&limit=1") else { return }
        if answer.status == 200, answer.body["items"]?.array?.isEmpty == true {
            Console.complain("waymark: warning: no domain has the label \(label) yet")
        }
    }

    /// Reports on standard error if the organization has no such domain, because an empty list would not show this.
    /// Ignores errors of this request.
    ///
    /// - Returns: True if the domain does not exist.
    func reportsMissingDomain(_ host: String) async -> Bool {
        guard let answer = try? await get("/v1/domains/\(Self.segment(host))"), answer.status == 404 else {
            return false
        }
        Console.complain(answer.complaint)
        return true
    }
}

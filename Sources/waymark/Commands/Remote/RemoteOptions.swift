import ArgumentParser
import StrictJSON

/// What commands take that ask a running Waymark, and how they answer.
struct RemoteOptions: ParsableArguments {
    @Option(help: "The API's address; without it WAYMARK_URL, or http://127.0.0.1:8080.") var url: String?
    @Flag(help: "Answer in JSON.") var json = false

    /// What was asked for. Throws the command's ending, and says why, when it was refused.
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

    /// Says the answer, in JSON or in words.
    func say(_ value: JSONValue, _ words: @autoclosure () -> String) throws {
        if json { return try Console.say(value) }
        let text = words()
        if !text.isEmpty { try Console.say(text) }
    }
}

extension RemoteAPI {
    /// How long the API may be away before waiting for it is given up.
    static let patience = Duration.seconds(120)
    /// How often to ask what has become of something.
    static let interval = Duration.milliseconds(500)

    /// Reads what is known to be there. An API that is away for a while is asked again, and that is said on standard
    /// error; throws ``Unreachable`` when it stays away.
    func patiently(_ path: String) async throws -> Answer {
        let begin = ContinuousClock.now
        while true {
            do {
                let answer = try await get(path)
                guard ![429, 503].contains(answer.status) else { throw Unreachable(description: answer.detail) }
                return answer
            } catch let error as Unreachable {
                guard ContinuousClock.now - begin < Self.patience else { throw error }
                Console.complain("\(error); it is asked again")
                try await Task.sleep(for: .seconds(2))
            }
        }
    }

    /// What is at a path once it has none of the states that it goes through. The lines of its progress are told on
    /// standard error, each once.
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

    /// All items of a list, page after page, patiently where something has been waited for.
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

    /// Says on standard error where no domain has a label that something was made for. That is allowed, since one may get
    /// it later; but nothing else would show a label that is misspelled. Only help: an answer that does not come is passed
    /// over.
    func tellIfNobodyHas(_ label: String?) async {
        guard let label, let answer = try? await get("/v1/domains?label=\(Self.segment(label))&limit=1") else { return }
        if answer.status == 200, answer.body["items"]?.array?.isEmpty == true {
            Console.complain("waymark: no domain has the label \(label) yet")
        }
    }

    /// Says on standard error where the organization has no such domain, which an empty list would not tell apart from
    /// one of which nothing is known. Only help, like the other.
    ///
    /// - Returns: whether there is none.
    func tellsThatThereIsNo(_ host: String) async -> Bool {
        guard let answer = try? await get("/v1/domains/\(Self.segment(host))"), answer.status == 404 else {
            return false
        }
        Console.complain(answer.complaint)
        return true
    }
}

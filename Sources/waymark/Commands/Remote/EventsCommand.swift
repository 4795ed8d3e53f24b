import ArgumentParser
import StrictJSON

/// `waymark events`.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Shows the events of an organization, and follows new ones.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. Shows events oldest first, each with its position. With --follow, \
            an unavailable API is retried for two minutes. docs/events.md lists the kinds of events.

              waymark events --follow
              waymark events --kind publication --host www.example.com
              waymark events --after 1041 --follow --json

            Exit codes: 0 success; 2 the request is invalid; 3 other errors.
            """)

    @Option(help: "Only events after this position. The default is the newest 50.") var after: Int?
    @Option(help: "Only this kind, such as publication.live, or group, such as publication. Can be repeated.")
    var kind: [String] = []
    @Option(help: "Only events about this host, including its schedules, freezes and releases.")
    var host: String?
    @Flag(help: "Show new events until interrupted.") var follow = false
    @Option(help: "The API's address. The default is WAYMARK_URL or http://127.0.0.1:8080.") var url: String?
    @Flag(help: "Print each event as a line of JSON.") var json = false

    /// The number of events shown without `--after`.
    static let newest = 50
    /// The waiting time to request from the API, in seconds. It is shorter than the API's limit, because the network
    /// may be slow.
    static let wait = 20

    func validate() throws {
        if let after, after < 0 { throw ValidationError("--after must be a position, 0 or more.") }
    }

    func run() async throws {
        try await RemoteAPI.with(url: url) { api in
            var start = "after=\(after ?? 0)"
            if after == nil {
                let newest = try await list(api, "sort=newest&limit=\(Self.newest)").items
                if newest.isEmpty, let host, await api.reportsMissingDomain(host), !follow { throw Ending.failed }
                for event in newest.reversed() { try tell(event) }
                start = "after=\(newest.first?["position"]?.number?.int ?? 0)"
                guard follow else { return }
            }
            try await printAll(api, from: start)
        }
    }

    /// Prints all events after a position and, with `--follow`, new events.
    private func printAll(_ api: RemoteAPI, from start: String) async throws {
        var place = start
        while true {
            let answer = try await list(api, "\(place)&limit=200" + (follow ? "&wait=\(Self.wait)" : ""))
            for event in answer.items { try tell(event) }
            place = "cursor=\(answer.next)"
            if !follow, answer.items.isEmpty { return }
        }
    }

    private func list(_ api: RemoteAPI, _ place: String) async throws -> (items: [JSONValue], next: String) {
        let filters =
            kind.map { "&kind=\(RemoteAPI.segment($0))" } + (host.map { ["&host=\(RemoteAPI.segment($0))"] } ?? [])
        let path = "/v1/events?\(place)" + filters.joined()
        let answer = follow ? try await api.patiently(path) : try await api.get(path)
        guard answer.status == 200 else {
            Console.complain(answer.complaint)
            throw answer.code == "invalid_parameter" ? Ending.usage : Ending.failed
        }
        return (answer.body["items"]?.array ?? [], answer.body["next"]?.string ?? "")
    }

    private func tell(_ event: JSONValue) throws {
        guard !json else { return try Console.say([TerminalText(event, .compact)]) }
        let number = event["position"]?.number?.int ?? 0
        let kind = event["kind"]?.string ?? ""
        let actor = event["actor"]?["name"]?.string ?? ""
        let line =
            TerminalText("\(number)  \(event["at"]?.string ?? "")  ", .faint) + TerminalText(kind, Self.color(kind))
            + TerminalText("  \(event["subject"]?.string ?? "")\(words(event["detail"]))  ")
            + TerminalText(actor, .faint)
        try Console.say([line])
    }

    /// An event's details, such as "version 3, attempt 2, cause: …". Omits IDs, which are for programs.
    private func words(_ detail: JSONValue?) -> String {
        let shown = [
            "sink", "path", "found", "version", "attempt", "nextAt", "dueAt", "effectiveBy", "late", "role", "name",
            "aliasOf", "url", "rule", "message", "reason", "cause",
        ]
        return shown.compactMap { name in
            guard let value = detail?[name] else { return nil }
            let text = value.string ?? value.array?.compactMap(\.string).joined(separator: " and ")
            if let text { return text.isEmpty ? nil : ", \(name): \(text)" }
            return value.number.map { ", \(name) \($0)" }
        }.joined()
    }

    private static func color(_ kind: String) -> TerminalText.Color? {
        switch kind.split(separator: ".").last {
        case "live", "verified": .green
        case "postponed": .yellow
        case "failed", "suspended", "superseded", "cancelled", "withdrawn": .red
        default: .bold
        }
    }
}

import ArgumentParser
import StrictJSON

/// `waymark freeze`.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stops what is scheduled, for all domains or those with a label, until a time.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN. Runs of schedules end `frozen`, and publications that \
            become due are suspended. Whoever publishes at once is not stopped.

              waymark freeze begin --until 2027-01-07T00:00:00Z --reason "the winter sale" --label shop
              waymark freeze list
              waymark freeze lift 6f1d…

            Exit code 0 when it is done; 1 when it has ended already; 2 when the request makes no sense; 3 when it could \
            not be done.
            """,
        subcommands: [Begin.self, List.self, Lift.self])

    struct Begin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Begins a freeze now.")

        @Option(help: "When it ends: RFC 3339, such as 2027-01-07T00:00:00Z.") var until: String
        @Option(help: "Why; shown wherever something is stopped.") var reason: String
        @Option(help: "The domains with this label; without it all.") var label: String?
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            var body = JSONObject([("reason", .string(reason)), ("endsAt", .string(until))])
            if let label { body["label"] = .string(label) }
            let wanted = JSONValue.object(body)
            let made = try await RemoteAPI.with(url: remote.url) { api in
                let made = try remote.accepted(try await api.post("/v1/freezes", wanted))
                await api.tellIfNobodyHas(label)
                return made
            }
            try remote.say(made, FreezeText.line(made))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the freezes that go on.")

        @Flag(help: "Those that have ended too.") var all = false
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let path = "/v1/freezes" + (all ? "" : "?state=current")
            let items = try await RemoteAPI.with(url: remote.url) { try await $0.all(path, remote) }
            try remote.say(.array(items), items.map(FreezeText.line).joined(separator: "\n"))
        }
    }

    struct Lift: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends a freeze before its time.")

        @Argument(help: "The freeze's ID.") var id: String
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let lifted = try await RemoteAPI.with(url: remote.url) { api in
                try remote.accepted(try await api.delete("/v1/freezes/\(RemoteAPI.segment(id))"))
            }
            try remote.say(lifted, FreezeText.line(lifted))
        }
    }
}

/// Freezes at a terminal.
enum FreezeText {
    /// ", and suspended then: …" of a publication or a release at a time that something in its way or a freeze will stop;
    /// empty where nothing will.
    static func suspension(of change: JSONValue) -> String {
        if let blockedReason = change["blockedReason"]?.line { return ", and suspended then: \(blockedReason)" }
        guard let freeze = change["freeze"], let end = freeze["endsAt"]?.string else { return "" }
        return ", and suspended then: a freeze until \(end) stops it: \(freeze["reason"]?.line ?? "")"
    }

    fileprivate static func line(_ freeze: JSONValue) -> String {
        let covers = freeze["label"]?.line.map { "label \($0)" } ?? "all domains"
        let standing =
            freeze["liftedAt"]?.string.map { "lifted at \($0)" }
            ?? (freeze["current"] == true ? "until " : "ended at ") + (freeze["endsAt"]?.string ?? "")
        return "\(freeze["id"]?.string ?? "")  \(covers)  \(standing)  \(freeze["reason"]?.line ?? "")"
    }
}

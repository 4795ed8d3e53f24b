import ArgumentParser
import StrictJSON

/// `waymark freeze`.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stops scheduled publications until a time, for all domains or for a label.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. During a freeze, runs of schedules end `frozen`, and publications \
            that become due are suspended. Publishing now still works.

              waymark freeze begin --until 2027-01-07T00:00:00Z --reason "the winter sale" --label shop
              waymark freeze list
              waymark freeze lift 6f1d…

            Exit codes: 0 success; 1 the freeze has already ended; 2 the request is invalid; 3 other errors.
            """,
        subcommands: [Begin.self, List.self, Lift.self])

    struct Begin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Starts a freeze now.")

        @Option(help: "When it ends: RFC 3339, such as 2027-01-07T00:00:00Z.") var until: String
        @Option(help: "The reason, shown with everything that is stopped.") var reason: String
        @Option(help: "Only domains with this label. The default is all domains.") var label: String?
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            var body = JSONObject([("reason", .string(reason)), ("endsAt", .string(until))])
            if let label { body["label"] = .string(label) }
            let wanted = JSONValue.object(body)
            let made = try await RemoteAPI.with(url: remote.url) { api in
                let made = try remote.accepted(try await api.post("/v1/freezes", wanted))
                await api.warnIfUnused(label)
                return made
            }
            try remote.say(made, FreezeText.line(made))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists active freezes.")

        @Flag(help: "Include ended freezes.") var all = false
        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let path = "/v1/freezes" + (all ? "" : "?state=current")
            let items = try await RemoteAPI.with(url: remote.url) { try await $0.all(path, remote) }
            try remote.say(.array(items), items.map(FreezeText.line).joined(separator: "\n"))
        }
    }

    struct Lift: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lifts a freeze before it ends.")

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

/// Texts about freezes.
enum FreezeText {
    /// The text ", but it will be suspended: …" if a scheduled publication or release cannot go live. Otherwise empty.
    static func suspension(of change: JSONValue) -> String {
        if let blockedReason = change["blockedReason"]?.line { return ", but it will be suspended: \(blockedReason)" }
        guard let freeze = change["freeze"], let end = freeze["endsAt"]?.string else { return "" }
        return ", but it will be suspended: a freeze until \(end) stops it: \(freeze["reason"]?.line ?? "")"
    }

    fileprivate static func line(_ freeze: JSONValue) -> String {
        let covers = freeze["label"]?.line.map { "label \($0)" } ?? "all domains"
        let standing =
            freeze["liftedAt"]?.string.map { "lifted at \($0)" }
            ?? (freeze["current"] == true ? "until " : "ended at ") + (freeze["endsAt"]?.string ?? "")
        return "\(freeze["id"]?.string ?? "")  \(covers)  \(standing)  \(freeze["reason"]?.line ?? "")"
    }
}

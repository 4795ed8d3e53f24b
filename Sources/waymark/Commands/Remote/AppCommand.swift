import ArgumentParser
import StrictJSON

/// `waymark app`.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Changes what names an app.", subcommands: [AppReplaceCommand.self])
}

/// `waymark app replace`.
struct AppReplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Puts another app in the place of one in drafts and saved tests; publishes nothing.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN. Both apps have to be registered. Each draft is \
            generated and judged anew; what the gate would refuse is told. Publish with `waymark release` afterwards.

              waymark app replace ABCDE12345.com.example.old ABCDE12345.com.example.new --wait

            Exit code 0 when it is done, or without --wait when it has been accepted; 1 when it has failed or the app is \
            being replaced already; 2 when the request makes no sense; 3 when it could not be done.
            """)

    @Argument(help: "The app that goes.") var old: String
    @Argument(help: "The app that comes.") var new: String
    @Option(help: "In this domain only; may be given again.") var host: [String] = []
    @Option(help: "In domains with this label only.") var label: String?
    @Option(help: "What to say about it.") var message: String?
    @Flag(help: "Wait for the end, and tell the progress.") var wait = false
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if !host.isEmpty, label != nil { throw ValidationError("Give --host or --label, and not both.") }
    }

    func run() async throws {
        let (path, body) = ("/v1/apps/\(RemoteAPI.segment(old))/replacements", body)
        let replacement = try await RemoteAPI.with(url: remote.url) { api in
            let made = try remote.accepted(try await api.post(path, body))
            guard wait else { return made }
            return try await api.ending(
                of: made, at: "\(path)/\(made["id"]?.string ?? "")", through: ["running"], remote
            ) { $0["state"]?.string == "running" ? [Self.progress(of: $0)] : [] }
        }
        for refusal in replacement["refusals"]?.array ?? [] {
            let details = (refusal["failures"]?.array ?? []).compactMap { $0["detail"]?.string }
            Console.complain("  \(refusal["host"]?.string ?? ""): would be refused: \(details.joined(separator: " "))")
        }
        try remote.say(replacement, Self.progress(of: replacement))
        if replacement["state"]?.string == "failed" { throw Ending.notRight }
    }

    private var body: JSONValue {
        var body = JSONObject([("with", .string(new))])
        if !host.isEmpty { body["hosts"] = .array(host.map(JSONValue.string)) }
        if let label { body["label"] = .string(label) }
        if let message { body["message"] = .string(message) }
        return .object(body)
    }

    /// "done: 2 of 2 drafts changed, 1 would be refused; 0 tests".
    private static func progress(of replacement: JSONValue) -> String {
        func count(_ name: String) -> Int { replacement["domains"]?[name]?.number?.int ?? 0 }
        let refused = count("refused") > 0 ? ", \(count("refused")) would be refused" : ""
        let (state, tests) = (replacement["state"]?.string ?? "", replacement["tests"]?.number?.int ?? 0)
        return "\(state): \(count("changed")) of \(count("total")) drafts changed\(refused); \(tests) tests"
    }
}

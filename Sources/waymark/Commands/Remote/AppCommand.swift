import ArgumentParser
import StrictJSON

/// `waymark app`.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Manages the apps in drafts.", subcommands: [AppReplaceCommand.self])
}

/// `waymark app replace`.
struct AppReplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Replaces an app with another in drafts and saved tests; publishes nothing.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. Both apps must be registered. Each changed draft is generated and \
            checked again; domains that the gate would refuse are reported. Afterwards, publish with `waymark release`.

              waymark app replace ABCDE12345.com.example.old ABCDE12345.com.example.new --wait

            Exit codes: 0 done, or accepted without --wait; 1 failed, or the app is already being replaced; 2 the request is \
            invalid; 3 other errors.
            """)

    @Argument(help: "The app to replace.") var old: String
    @Argument(help: "The new app.") var new: String
    @Option(help: "Only in this domain. Can be repeated.") var host: [String] = []
    @Option(help: "Only in domains with this label.") var label: String?
    @Option(help: "A message for the history.") var message: String?
    @Flag(help: "Wait until it ends, and show the progress.") var wait = false
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if !host.isEmpty, label != nil { throw ValidationError("Use --host or --label, not both.") }
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

    /// A line such as "done: 2 of 2 drafts changed, 1 would be refused; tests updated: 0".
    private static func progress(of replacement: JSONValue) -> String {
        func count(_ name: String) -> Int { replacement["domains"]?[name]?.number?.int ?? 0 }
        let refused = count("refused") > 0 ? ", \(count("refused")) would be refused" : ""
        let (state, tests) = (replacement["state"]?.string ?? "", replacement["tests"]?.number?.int ?? 0)
        return "\(state): \(count("changed")) of \(count("total")) drafts changed\(refused); tests updated: \(tests)"
    }
}

import ArgumentParser
import FoundationEssentials
import StrictJSON

/// `waymark release`.
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Publishes the drafts of many domains in one step: all of them go live, or none.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. The gate checks every domain first; if it refuses one, none goes \
            live. With --wait, the progress is shown on standard error until the release ends.

              waymark release create --label brand-acme --message "the new app" --wait
              waymark release create www.example.com shop.example.com --at 2026-12-01T09:00:00+01:00
              waymark release create --label brand-acme --effective-by 2026-12-27T00:00:00Z
              waymark release create --label brand-acme --dry-run --wait
              waymark release show 3f0c…
              waymark release rollback 3f0c… --reason "the app is not ready" --wait

            Exit codes: 0 live, judged, unchanged, or accepted without --wait; 1 refused by the gate, or ended otherwise; 2 the \
            request is invalid; 3 other errors.
            """,
        subcommands: [
            ReleaseCreateCommand.self, ReleaseShowCommand.self, ReleaseListCommand.self, ReleaseCancelCommand.self,
            ReleaseRollbackCommand.self,
        ])
}

/// The options of every new release.
struct NewReleaseOptions: ParsableArguments {
    @Option(help: "When to go live (RFC 3339), such as 2026-12-01T09:00:00Z. The default is as soon as possible.")
    var at: String?
    @Option(
        help:
            "When the change must have reached devices. It goes live early enough for the delays that Apple documents.")
    var effectiveBy: String?
    @Option(help: "Your IANA time zone, used to show the time.") var zone: String?
    @Option(help: "A message for the history.") var message: String?
    @Option(help: "The reason; required with --override.") var reason: String?
    @Flag(help: "Publish even if a file differs a lot from the live file, or the live version has changed by then.")
    var override = false
    @Flag(help: "Wait until it ends, and show the progress.") var wait = false

    func validate() throws {
        if at != nil, effectiveBy != nil { throw ValidationError("Use --at or --effective-by, not both.") }
        if override, reason == nil { throw ValidationError("--override requires --reason.") }
    }

    var body: JSONObject {
        var body = JSONObject()
        for (name, text) in [
            ("message", message), ("reason", reason), ("at", at), ("effectiveBy", effectiveBy), ("zone", zone),
        ] {
            if let text { body[name] = .string(text) }
        }
        if override { body["override"] = true }
        return body
    }
}

/// `waymark release create`.
struct ReleaseCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a release of the drafts of some domains, or of all domains with a label.")

    @Argument(help: "The domains.") var hosts: [String] = []
    @Option(help: "All domains with this label, instead of named domains.") var label: String?
    @Flag(help: "Only run the checks; publish nothing.") var dryRun = false
    @OptionGroup var new: NewReleaseOptions
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if hosts.isEmpty == (label == nil) { throw ValidationError("Name domains or use --label, not both.") }
    }

    func run() async throws {
        let (path, body) = ("/v1/releases" + (dryRun ? "?dryRun=true" : ""), body)
        try await ReleaseClient.run(remote) { try await $0.make(path, body, new) }
    }

    private var body: JSONObject {
        var body = new.body
        if let label { body["label"] = .string(label) } else { body["hosts"] = .array(hosts.map(JSONValue.string)) }
        return body
    }
}

/// `waymark release show`.
struct ReleaseShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a release and its refused domains.")

    @Argument(help: "The release's ID.") var id: String
    @Flag(help: "Wait until it ends, and show the progress.") var wait = false
    @OptionGroup var remote: RemoteOptions

    func run() async throws {
        try await ReleaseClient.run(remote) { client in
            let release = try remote.accepted(try await client.api.get(ReleaseClient.path(id)))
            return wait ? try await client.ending(of: release) : release
        }
    }
}

/// `waymark release list`.
struct ReleaseListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the latest releases.")

    @OptionGroup var remote: RemoteOptions

    func run() async throws {
        let list = try await RemoteAPI.with(url: remote.url) { api in
            try remote.accepted(try await api.get("/v1/releases?limit=50"))
        }
        let lines = (list["items"]?.array ?? []).map { release in
            "\(release["createdAt"]?.string ?? "")  \(ReleaseClient.summary(of: release))"
        }
        try remote.say(list, lines.joined(separator: "\n"))
    }
}

/// `waymark release cancel`.
struct ReleaseCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancels a pending release.")

    @Argument(help: "The release's ID.") var id: String
    @OptionGroup var remote: RemoteOptions

    func run() async throws {
        let cancelled = try await RemoteAPI.with(url: remote.url) { api in
            try remote.accepted(try await api.delete(ReleaseClient.path(id)))
        }
        try remote.say(cancelled, ReleaseClient.summary(of: cancelled))
    }
}

/// `waymark release rollback`.
struct ReleaseRollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Publishes the versions that were live before a release.",
        discussion: """
            Domains without an earlier live version do not change. If the live version of a domain has changed since the \
            release, nothing is published, except with --override.
            """)

    @Argument(help: "The release's ID.") var id: String
    @OptionGroup var new: NewReleaseOptions
    @OptionGroup var remote: RemoteOptions

    func run() async throws {
        try await ReleaseClient.run(remote) {
            try await $0.make(ReleaseClient.path(id) + "/rollbacks", new.body, new)
        }
    }
}

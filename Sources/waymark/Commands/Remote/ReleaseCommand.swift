import ArgumentParser
import FoundationEssentials
import StrictJSON

/// `waymark release`.
struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Publishes the drafts of many domains at once: all of them go live in one commit, or none.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN. The gate judges every domain first; one that it \
            refuses keeps all of them back. With --wait, progress is told on standard error until the release has ended.

              waymark release create --label brand-acme --message "the new app" --wait
              waymark release create www.example.com shop.example.com --at 2026-12-01T09:00:00+01:00
              waymark release create --label brand-acme --effective-by 2026-12-27T00:00:00Z
              waymark release create --label brand-acme --dry-run --wait
              waymark release show 3f0c…
              waymark release rollback 3f0c… --reason "the app is not ready" --wait

            Exit code 0 when it is live, or without --wait when it has been accepted; 1 when the gate refuses, or it \
            ends otherwise than live, judged or unchanged; 2 when the request makes no sense; 3 when it could not be done.
            """,
        subcommands: [
            ReleaseCreateCommand.self, ReleaseShowCommand.self, ReleaseListCommand.self, ReleaseCancelCommand.self,
            ReleaseRollbackCommand.self,
        ])
}

/// What is said of every release that is made.
struct NewReleaseOptions: ParsableArguments {
    @Option(help: "When to go live: RFC 3339, such as 2026-12-01T09:00:00Z. Without it as soon as all is frozen.")
    var at: String?
    @Option(
        help: "When the change has to have reached devices: it goes live as long before as Apple's systems may take.")
    var effectiveBy: String?
    @Option(help: "Your IANA time zone, kept with the release for showing its time.") var zone: String?
    @Option(help: "What to say about it.") var message: String?
    @Option(help: "Why; needed to override.") var reason: String?
    @Flag(help: "Publish although a file differs much from what is live, and whatever is live by then.")
    var override = false
    @Flag(help: "Wait for the end, and tell the progress.") var wait = false

    func validate() throws {
        if at != nil, effectiveBy != nil { throw ValidationError("--at and --effective-by both say when: give one.") }
        if override, reason == nil { throw ValidationError("--override needs a --reason.") }
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
        commandName: "create", abstract: "Makes a release of drafts, of the domains named or of all with a label.")

    @Argument(help: "The domains.") var hosts: [String] = []
    @Option(help: "In place of domains: all with this label.") var label: String?
    @Flag(help: "Judge, and publish nothing.") var dryRun = false
    @OptionGroup var new: NewReleaseOptions
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if hosts.isEmpty == (label == nil) { throw ValidationError("Name domains, or a --label, and not both.") }
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
        commandName: "show", abstract: "Shows a release, and what the gate refuses of it.")

    @Argument(help: "The release's ID.") var id: String
    @Flag(help: "Wait for its end, and tell the progress.") var wait = false
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
        commandName: "cancel", abstract: "Calls off a release that has not ended.")

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
        commandName: "rollback", abstract: "Puts back what was live before a release.",
        discussion: """
            Domains on which nothing was live before stay as they are. Where one has moved since, nothing is done, unless \
            it overrides.
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

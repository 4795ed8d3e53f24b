import ArgumentParser
import StrictJSON

/// `waymark publish`.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publishes a domain's draft, or a version again, now or at a time.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN. The gate judges the file now, also where it goes \
            live later. With --wait, the publication's steps are told on standard error until it has ended.

              waymark publish www.example.com --message "the summer campaign" --wait
              waymark publish www.example.com --at 2026-12-01T09:00:00+01:00 --revert-at 2026-12-27T00:00:00+01:00
              waymark publish www.example.com --effective-by 2026-12-27T00:00:00Z
              waymark publish www.example.com --version 7 --reason "the app is not ready" --wait

            A file that is live already is not published again; --override with a --reason does that.

            Exit code 0 when it is live, or nothing changes, or without --wait when it has been accepted; 1 when the gate refuses, what is \
            there stands against it, or it ends otherwise than live; 2 when the request makes no sense; 3 when it could \
            not be done.
            """)

    @Argument(help: "The domain.") var host: String
    @Option(help: "Publish this version again; without it the draft is frozen.") var version: Int?
    @Option(help: "When to go live: RFC 3339, such as 2026-12-01T09:00:00Z. Without it at once.") var at: String?
    @Option(
        help: "When the change has to have reached devices: it goes live as long before as Apple's systems may take.")
    var effectiveBy: String?
    @Option(help: "When to go back to what is live before.") var revertAt: String?
    @Option(help: "Your IANA time zone, kept with the publication for showing its times.") var zone: String?
    @Option(help: "What to say about it.") var message: String?
    @Option(help: "Why; needed to override.") var reason: String?
    @Flag(help: "Publish although the file differs much from what is live, and whatever is live by then.")
    var override = false
    @Flag(help: "Wait for the end, and tell each step.") var wait = false
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if at != nil, effectiveBy != nil { throw ValidationError("--at and --effective-by both say when: give one.") }
        if override, reason == nil { throw ValidationError("--override needs a --reason.") }
    }

    func run() async throws {
        let path = "/v1/domains/\(RemoteAPI.segment(host))/publications"
        let ended = try await RemoteAPI.with(url: remote.url) { api in
            if let effectiveBy { try await EffectiveByWords.tell(effectiveBy, api) }
            let waiting = at == nil && effectiveBy == nil ? try await waiting(api, path) : []
            let made = try remote.accepted(try await api.post(path, body))
            if isUnchanged(made) { return made }
            if !waiting.isEmpty { Console.complain("waymark: suspended, once this is live:") }
            waiting.forEach { Console.complain("  \($0)") }
            guard wait else { return made }
            return try await api.ending(
                of: made, at: "\(path)/\(made["id"]?.string ?? "")", through: ["scheduled", "running"], remote,
                progress: PublicationProgress.lines)
        }
        try remote.say(ended, summary(of: ended))
        let state = ended["state"]?.string ?? ""
        if ["failed", "cancelled", "superseded", "suspended"].contains(state) { throw Ending.notRight }
    }

    /// What waits for its time on the domain and does not go live after this, a line each. Only help: none where the API
    /// refuses to tell.
    private func waiting(_ api: RemoteAPI, _ path: String) async throws -> [String] {
        let releases = "/v1/releases?host=\(RemoteAPI.segment(host))"
        let lists = [("version", path + "?state=pending"), ("release", releases + "&state=pending")]
        var lines: [String] = []
        for (kind, list) in lists {
            let items = try await api.get(list + "&limit=200").body["items"]?.array ?? []
            for item in items where item["override"] != true && item["obstacle"]?.string == nil {
                guard let due = item["at"]?.string, item["follows"]?.string == nil else { continue }
                let name = item["version"]?.number?.int.map(String.init) ?? item["id"]?.string ?? ""
                lines.append("\(kind) \(name), due at \(due)")
            }
        }
        return lines
    }

    private var body: JSONValue {
        var body = JSONObject()
        for (name, text) in [
            ("message", message), ("reason", reason), ("at", at), ("effectiveBy", effectiveBy), ("revertAt", revertAt),
            ("zone", zone),
        ] {
            if let text { body[name] = .string(text) }
        }
        if let version { body["version"] = .int(version) }
        if override { body["override"] = true }
        return .object(body)
    }

    private func isUnchanged(_ answer: JSONValue) -> Bool { answer["outcome"]?.string == "unchanged" }

    private func summary(of publication: JSONValue) -> String {
        if isUnchanged(publication) {
            let version = publication["version"]?.number?.int ?? 0
            return "\(host): nothing to publish: the live file is the same (version \(version))."
        }
        let state = publication["state"]?.string ?? ""
        let host = publication["host"]?.string ?? host
        let cause = publication["cause"]?.line.map { ": \($0)" } ?? ""
        let words =
            switch (state, publication["at"]?.string) {
            case ("scheduled", let due?): "scheduled for \(due)\(FreezeText.suspension(of: publication))"
            case ("scheduled", nil), ("running", _):
                "being published; follow it with `waymark events --follow --kind publication --host \(host)`"
            default: state + cause
            }
        let reach = EffectiveByWords.reach(of: publication).map { ", \($0)" } ?? ""
        return "\(host): version \(publication["version"]?.number?.int ?? 0) is \(words)\(reach)"
    }
}

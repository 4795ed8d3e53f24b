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
            let preview = try await api.post("/v1/domains/\(RemoteAPI.segment(host))/publication-previews", asked).body
            let made = try remote.accepted(try await api.post(path, body))
            if isUnchanged(made) { return made }
            warnings(preview).forEach { Console.complain($0) }
            guard wait else { return made }
            return try await api.ending(
                of: made, at: "\(path)/\(made["id"]?.string ?? "")", through: ["scheduled", "running"], remote,
                progress: PublicationProgress.lines)
        }
        try remote.say(ended, summary(of: ended))
        let state = ended["state"]?.string ?? ""
        if ["failed", "cancelled", "superseded", "suspended"].contains(state) { throw Ending.notRight }
    }

    /// What the publication suspends and what would suspend it, a line each. Only help: none where the API refuses to
    /// tell, as it then refuses the publication with the reason.
    private func warnings(_ preview: JSONValue) -> [String] {
        func list(_ title: String, _ items: [JSONValue], _ line: (JSONValue) -> String) -> [String] {
            items.isEmpty ? [] : ["waymark: \(title):"] + items.map { "  \(line($0))" }
        }
        let suspends = preview["suspends"]?.array ?? []
        let preceding = override ? [] : preview["precededBy"]?.array ?? []
        return list("suspended, once this is live", suspends) { item in
            let due = item["at"]?.string.map { ", due at \($0)" } ?? ""
            return "\(item["name"]?.line ?? "")\(due)"
        }
            + list("suspends this, unless it overrides (--override --reason TEXT)", preceding) { item in
                let name = item["name"]?.line ?? ""
                let named = name.isEmpty ? item["id"]?.string ?? "" : name
                return "\(item["kind"]?.string ?? "") \(named), due at \(item["at"]?.string ?? "")"
            }
    }

    /// The question to the preview.
    private var asked: JSONValue {
        var asked = JSONObject()
        for (name, text) in [("at", at), ("effectiveBy", effectiveBy), ("revertAt", revertAt), ("zone", zone)] {
            if let text { asked[name] = .string(text) }
        }
        if override { asked["override"] = true }
        return .object(asked)
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

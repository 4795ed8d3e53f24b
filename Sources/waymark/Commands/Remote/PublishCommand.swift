import ArgumentParser
import StrictJSON

/// `waymark publish`.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publishes a domain's draft or an older version, now or at a scheduled time.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. The gate checks the file now, even if it goes live later. With \
            --wait, the publication's steps are shown on standard error until it ends.

              waymark publish www.example.com --message "the summer campaign" --wait
              waymark publish www.example.com --at 2026-12-01T09:00:00+01:00 --revert-at 2026-12-27T00:00:00+01:00
              waymark publish www.example.com --effective-by 2026-12-27T00:00:00Z
              waymark publish www.example.com --version 7 --reason "the app is not ready" --wait

            A file that is already live is not published again, except with --override and --reason.

            Exit codes: 0 live, unchanged, or accepted without --wait; 1 refused by the gate, in conflict with the current \
            state, or not live at the end; 2 the request is invalid; 3 other errors.
            """)

    @Argument(help: "The domain.") var host: String
    @Option(help: "Publish this version. The default is the draft, which becomes a new version.") var version: Int?
    @Option(help: "When to go live (RFC 3339), such as 2026-12-01T09:00:00Z. The default is now.") var at: String?
    @Option(
        help:
            "When the change must have reached devices. It goes live early enough for the delays that Apple documents.")
    var effectiveBy: String?
    @Option(help: "When to roll back to the previous live version.") var revertAt: String?
    @Option(help: "Your IANA time zone, used to show the times.") var zone: String?
    @Option(help: "A message for the history.") var message: String?
    @Option(help: "The reason; required with --override.") var reason: String?
    @Flag(help: "Publish even if the file differs a lot from the live file, or the live version has changed by then.")
    var override = false
    @Flag(help: "Wait until it ends, and show each step.") var wait = false
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if at != nil, effectiveBy != nil { throw ValidationError("Use --at or --effective-by, not both.") }
        if override, reason == nil { throw ValidationError("--override requires --reason.") }
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

    /// Lists the publications that this one would suspend, and those that would suspend it, one per line. Empty if the
    /// API refuses the preview, because it then also refuses the publication with a reason.
    private func warnings(_ preview: JSONValue) -> [String] {
        func list(_ title: String, _ items: [JSONValue], _ line: (JSONValue) -> String) -> [String] {
            items.isEmpty ? [] : ["waymark: \(title):"] + items.map { "  \(line($0))" }
        }
        let suspends = preview["suspends"]?.array ?? []
        let preceding = override ? [] : preview["precededBy"]?.array ?? []
        return list("this will suspend, when it goes live", suspends) { item in
            let due = item["at"]?.string.map { ", due at \($0)" } ?? ""
            return "\(item["name"]?.line ?? "")\(due)"
        }
            + list("this will be suspended by, unless you use --override --reason TEXT", preceding) { item in
                let name = item["name"]?.line ?? ""
                let named = name.isEmpty ? item["id"]?.string ?? "" : name
                return "\(item["kind"]?.string ?? "") \(named), due at \(item["at"]?.string ?? "")"
            }
    }

    /// The body of the preview request.
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
            return "\(host): nothing to publish; the live file is the same (version \(version))."
        }
        let state = publication["state"]?.string ?? ""
        let host = publication["host"]?.string ?? host
        let words =
            switch (state, publication["at"]?.string) {
            case ("scheduled", let due?): "is scheduled for \(due)\(FreezeText.suspension(of: publication))"
            case ("scheduled", nil), ("running", _):
                "is being published; follow it with `waymark events --follow --kind publication --host \(host)`"
            case ("live", _): "is live"
            case ("failed", _): PublicationProgress.ending(state, publication["cause"]?.line)
            default: "was " + PublicationProgress.ending(state, publication["cause"]?.line)
            }
        let reach = EffectiveByWords.reach(of: publication).map { ", \($0)" } ?? ""
        return "\(host): version \(publication["version"]?.number?.int ?? 0) \(words)\(reach)"
    }
}

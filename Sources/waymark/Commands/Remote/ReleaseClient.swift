import StrictJSON

/// Creates releases over the API, waits for them, and reports the results.
struct ReleaseClient: Sendable {
    /// The maximum number of refused domains to list.
    private static let maximumListed = 20

    let api: RemoteAPI
    let remote: RemoteOptions

    /// Runs `body` with a release and prints the result.
    /// - Throws: The exit code 1 if the release was refused, cancelled or suspended, or failed.
    static func run(
        _ remote: RemoteOptions, _ body: @escaping @Sendable (ReleaseClient) async throws -> JSONValue
    ) async throws {
        let release = try await RemoteAPI.with(url: remote.url) { api in
            let client = ReleaseClient(api: api, remote: remote)
            let release = try await body(client)
            try await client.printRefusals(of: release)
            return release
        }
        try remote.say(release, summary(of: release))
        if ["refused", "failed", "cancelled", "suspended"].contains(release["state"]?.string) { throw Ending.notRight }
    }

    static func path(_ id: String) -> String { "/v1/releases/" + RemoteAPI.segment(id) }

    /// Creates a release. With `--wait`, waits until it ends.
    func make(_ path: String, _ body: JSONObject, _ new: NewReleaseOptions) async throws -> JSONValue {
        if let effectiveBy = new.effectiveBy { try await EffectiveByWords.tell(effectiveBy, api) }
        let made = try remote.accepted(try await api.post(path, .object(body)))
        Self.words(onPredecessorsOf: made).forEach(Console.complain)
        return new.wait ? try await ending(of: made) : made
    }

    /// Waits until the release ends, and returns it. Meanwhile, shows its progress.
    func ending(of made: JSONValue) async throws -> JSONValue {
        let states: Set = ["judging", "scheduled", "running"]
        return try await api.ending(
            of: made, at: Self.path(made["id"]?.string ?? ""), through: states, remote
        ) { states.contains($0["state"]?.string ?? "") ? [Self.progress(of: $0)] : [] }
    }

    /// A line such as "judging: 250 of 10000 checked".
    static func progress(of release: JSONValue) -> String {
        let state = release["state"]?.string ?? ""
        let (total, waiting) = (count(release, "total"), count(release, "waiting"))
        if state == "judging", waiting > 0 { return "judging: \(total - waiting) of \(total) checked" }
        if state == "judging" { return "saving versions: \(count(release, "frozen")) of \(total) ready" }
        return state + time(of: release)
    }

    /// The publications, releases, schedules and withdrawals that take effect on the release's domains first, one per
    /// line.
    static func words(onPredecessorsOf release: JSONValue) -> [String] {
        guard let predecessors = release["precededBy"]?.array, !predecessors.isEmpty else { return [] }
        let overrides = release["override"]?.bool == true
        let lines = predecessors.map { each in
            let name = each["name"]?.line ?? ""
            let about = [each["host"]?.string, name.isEmpty ? nil : "“\(name)”"].compactMap(\.self)
            return "  \(([each["kind"]?.string ?? ""] + about).joined(separator: " ")) at \(each["at"]?.string ?? "")"
        }
        let what =
            overrides
            ? "it replaces these, but a withdrawal cancels it"
            : "it is suspended if these change the live version, and a withdrawal cancels it"
        return ["waymark: due earlier on its domains (\(what)):"] + lines
    }

    /// One line about a release: its state and message. If it is pending, also its time and the reason why it would be
    /// stopped, if any.
    static func summary(of release: JSONValue) -> String {
        let parts = (release["domains"]?.object?.members ?? []).compactMap { member in
            let count = member.value.number?.int ?? 0
            // Replace "frozen", which would suggest a freeze.
            let word = member.name == "frozen" ? "ready" : member.name
            return member.name == "total" || count == 0 ? nil : "\(count) \(word)"
        }
        let state = PublicationProgress.ending(release["state"]?.string ?? "", release["cause"]?.line)
        let blockedReason = FreezeText.suspension(of: release)
        let back = release["rolledBackBy"]?.string == nil ? "" : ", rolled back"
        let message = release["message"]?.line ?? ""
        let line = "\(release["id"]?.string ?? "")  \(state) (\(parts.joined(separator: ", ")))"
        return line + time(of: release) + blockedReason + back + (message.isEmpty ? "" : "  \(message)")
    }

    /// A text such as ", due at 2026-12-20T00:00:00Z, on devices by …". Omits times that have passed.
    private static func time(of release: JSONValue) -> String {
        let isPending = ["judging", "scheduled", "running"].contains(release["state"]?.string)
        let due = isPending ? release["at"]?.string.map { ", due at \($0)" } : nil
        return (due ?? "") + (EffectiveByWords.reach(of: release).map { ", \($0)" } ?? "")
    }

    private static func count(_ release: JSONValue, _ state: String) -> Int {
        release["domains"]?[state]?.number?.int ?? 0
    }

    /// Prints the refused domains and their failed checks to standard error.
    private func printRefusals(of release: JSONValue) async throws {
        for state in ["refused", "moved"] where Self.count(release, state) > 0 {
            let path = Self.path(release["id"]?.string ?? "") + "/domains?state=\(state)&limit=\(Self.maximumListed)"
            for domain in try remote.accepted(try await api.patiently(path))["items"]?.array ?? [] {
                let failures = (domain["failures"]?.array ?? []).compactMap { $0["detail"]?.string }
                Console.complain("  \(domain["host"]?.string ?? ""): \(state): \(failures.joined(separator: " "))")
                GateReportText.lines(domain["report"]).forEach { Console.complain("    \($0)") }
            }
            let more = Self.count(release, state) - Self.maximumListed
            if more > 0 { Console.complain("  … and \(more) more") }
        }
    }
}

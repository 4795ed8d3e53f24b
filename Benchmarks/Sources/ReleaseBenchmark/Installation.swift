import AASA
import FoundationEssentials
import Storage
import StrictJSON

/// The test data: an organization with two apps and many hosts. Each host has a draft with ten rules.
struct Installation: Sendable {
    private static let author = Author(kind: .system, name: "benchmark")
    /// The label of the verified hosts.
    static let label = "released"

    let store: Store
    let organization: ID<Organization>
    /// A token with all rights.
    let token: String
    /// The app in the drafts, and its replacement.
    let apps: (old: AppID, new: AppID)

    init(_ store: Store) async throws {
        let organization = ID<Organization>()
        let team = try TeamID("ABCDE12345")
        let apps = (old: try AppID("ABCDE12345.com.example.app"), new: try AppID("ABCDE12345.com.example.next"))
        token = try await store.write(as: organization, by: Self.author) { tenant in
            _ = try tenant.createOrganization(slug: "benchmark", name: "Benchmark")
            _ = try tenant.createTeam(team, name: "Team")
            for app in [apps.old, apps.new] { _ = try tenant.createApp(app, teamID: team, name: "App") }
            return try tenant.createToken(name: "benchmark", role: .owner).secret.text
        }
        self.store = store
        self.organization = organization
        self.apps = apps
    }

    static func host(_ number: Int) throws -> Host { try Host("links-\(number).customer.example.com") }

    /// Creates hosts, each with its own draft. Verified hosts have the label.
    func add(_ numbers: Range<Int>, areVerified: Bool) async throws {
        try await inBatches(numbers) { tenant, number in
            let host = try Self.host(number)
            _ = try tenant.createDomain(host, labels: areVerified ? [Self.label] : [])
            if areVerified { _ = try tenant.claim(host) }
            try draft(number, turn: 0, tenant)
        }
    }

    /// Changes the drafts of hosts.
    func change(_ numbers: Range<Int>, turn: Int) async throws {
        try await inBatches(numbers) { tenant, number in try draft(number, turn: turn, tenant) }
    }

    private func inBatches(
        _ numbers: Range<Int>, _ body: @escaping @Sendable (TenantTransaction, Int) throws -> Void
    ) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 250) {
            try await store.write(as: organization, by: Self.author) { tenant in
                for number in start..<min(start + 250, numbers.upperBound) { try body(tenant, number) }
            }
        }
    }

    private func draft(_ number: Int, turn: Int, _ tenant: TenantTransaction) throws {
        let host = try Self.host(number)
        let rules = (0..<10).map { Rule(id: "r\($0)", fields: RuleFields(path: "/\(number)/\(turn)/section-\($0)/*")) }
        let draft = Draft(entries: [Draft.Entry(id: "entry", apps: [apps.old.description], rules: rules)])
        _ = try tenant.saveDraft(draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
    }
}

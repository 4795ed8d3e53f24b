import AASA
import Storage
import StrictJSON

/// The test data: an organization with hosts.
struct Installation: Sendable {
    private static let author = Author(kind: .system, name: "benchmark")

    let store: Store
    let organization: ID<Organization>
    /// A token that can publish.
    let token: String

    init(_ store: Store) async throws {
        let organization = ID<Organization>()
        token = try await store.write(as: organization, by: Self.author) { tenant in
            _ = try tenant.createOrganization(slug: "benchmark", name: "Benchmark")
            return try tenant.createToken(name: "benchmark", role: .publisher).secret.text
        }
        self.store = store
        self.organization = organization
    }

    static func host(_ number: Int) throws -> Host { try Host("links-\(number).customer.example.com") }

    /// Publishes this many hosts, each with a different file.
    func fill(_ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 250) {
            try await store.write(as: organization, by: Self.author) { tenant in
                for number in start..<min(start + 250, count) {
                    let host = try Self.host(number)
                    _ = try tenant.createDomain(host)
                    _ = try tenant.claim(host)
                    let draft = Self.draft(number, turn: 0)
                    _ = try tenant.saveDraft(draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
                    let version = try tenant.freeze(
                        draft.association().bytes, of: host, draftRevision: 2, message: "", report: ["passed": true])
                    _ = try tenant.activate(version, of: host, expecting: .anything)
                }
            }
        }
    }

    /// Changes the draft of a host.
    ///
    /// - Returns: The live version of the host.
    func change(_ number: Int, turn: Int) async throws -> Int? {
        try await store.write(as: organization, by: Self.author) { tenant in
            let host = try Self.host(number)
            _ = try tenant.saveDraft(
                Self.draft(number, turn: turn), of: host, replacing: tenant.lockedDraft(host, expecting: nil))
            return try tenant.domain(host).live?.version
        }
    }

    private static func draft(_ number: Int, turn: Int) -> Draft {
        let rules = (0..<10).map { Rule(id: "r\($0)", fields: RuleFields(path: "/\(number)/\(turn)/section-\($0)/*")) }
        return Draft(entries: [Draft.Entry(id: "entry", apps: ["ABCDE12345.com.example.app"], rules: rules)])
    }
}

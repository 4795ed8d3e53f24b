import AASA
import FoundationEssentials
import Storage
import StrictJSON

/// An organization with a domain for each client, each with a draft of ten rules.
struct Installation: Sendable {
    let organization = ID<Organization>()
    /// A token with the right to edit.
    let token: String

    init(_ store: Store, clients: Int) async throws {
        token = try await store.write(as: organization, by: Author(kind: .system, name: "benchmark")) { tenant in
            _ = try tenant.createOrganization(slug: "benchmark", name: "Benchmark")
            for client in 0..<clients {
                let host = try Self.host(client)
                _ = try tenant.createDomain(host)
                _ = try tenant.saveDraft(Self.draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
            }
            return try tenant.createToken(name: "benchmark", role: .editor).secret.text
        }
    }

    static func host(_ client: Int) throws -> Host { try Host("links-\(client).customer.example.com") }

    static var draft: Draft {
        let rules = (0..<10).map { Rule(id: "r\($0)", fields: RuleFields(path: "/section-\($0)/*")) }
        return Draft(entries: [Draft.Entry(id: "entry", apps: ["ABCDE12345.com.example.app"], rules: rules)])
    }
}

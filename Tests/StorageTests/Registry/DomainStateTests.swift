import AASA
import Postgres
import TestSupport
import Testing

@testable import Storage

/// The state of a domain is stored, so that lists can be filtered by it. It always matches the domain, its draft and
/// its claim.
@Suite("Stored states of domains", .timeLimit(.minutes(3)))
struct DomainStateTests {
    /// The stored states by host. Checks that each is the state that follows from the other tables.
    private func states(_ test: StoreUnderTest) async throws -> [String: String] {
        let organization = test.organization.uuid
        return try await test.asSuperuser { database in
            let rows = try database.query(
                """
                select domains.host, states.state, case
                    when claims.left_out then 'withdrawn'
                    when domains.alias_of is not null then 'alias'
                    when claims.host is null then 'unverified'
                    when claims.version is null and claims.activation is not null then 'withdrawn'
                    when claims.version is null then 'unpublished'
                    when claims.sha256 <> drafts.file_sha256 then 'changed'
                    else 'live'
                  end as following
                from domains
                join drafts on drafts.organization_id = domains.organization_id and drafts.host = domains.host
                left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
                left join domain_states as states
                  on states.organization_id = domains.organization_id and states.host = domains.host
                where domains.organization_id = \(organization)
                """)
            return try rows.reduce(into: [:]) { states, row in
                let (host, state) = (try row.decode("host", as: String.self), try row.decode("state", as: String?.self))
                #expect(state == (try row.decode("following", as: String.self)), "\(host)")
                states[host] = state
            }
        }
    }

    @Test("every change of a state is stored")
    func acts() async throws {
        let (host, alias) = (try Host("www.example.com"), try Host("alias.example.com"))
        try await withStore { test in
            func expect(_ own: String, _ other: String? = nil, after act: String) async throws {
                let states = try await states(test)
                #expect(states[host.description] == own, "after \(act)")
                #expect(states[alias.description] == other, "after \(act)")
            }
            _ = try await test.write { try $0.createDomain(host) }
            try await expect("unverified", after: "creating it")
            _ = try await test.write { try $0.claim(host) }
            try await expect("unpublished", after: "verifying it")
            let first = try await test.write { tenant in
                _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.lockedDraft(host, expecting: nil))
                let file = try tenant.draft(host).draft.association().bytes
                return try tenant.freeze(file, of: host, draftRevision: 2, message: "", report: Sample.report)
            }
            _ = try await test.write { try $0.activate(first, of: host, expecting: .anything) }
            try await expect("live", after: "publishing it")
            _ = try await test.write { tenant in
                let old = try tenant.lockedDraft(host, expecting: nil)
                return try tenant.saveDraft(Sample.draft(path: "/other"), of: host, replacing: old)
            }
            try await expect("changed", after: "editing it")
            _ = try await test.write { tenant in
                let old = try tenant.lockedDraft(host, expecting: nil)
                return try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
            }
            try await expect("live", after: "taking the edit back")
            _ = try await test.write { try $0.goLive(host, path: "/third") }
            try await expect("changed", after: "publishing another file")
            _ = try await test.write { try $0.createDomain(alias, aliasOf: host, as: .publisher) }
            try await expect("changed", "alias", after: "adding an alias")
            _ = try await test.write { try $0.claim(alias) }
            try await expect("changed", "alias", after: "verifying the alias")
            _ = try await test.write { try $0.deactivate(alias) }
            try await expect("changed", "withdrawn", after: "withdrawing the alias")
            _ = try await test.write { try $0.deactivate(host) }
            try await expect("withdrawn", "withdrawn", after: "withdrawing it")
            _ = try await test.write { try $0.activate(first, of: host, expecting: .anything) }
            try await expect("live", "withdrawn", after: "publishing it again")
            _ = try await test.write { try $0.updateDomain(alias, aliasOf: nil, labels: ["mine"], as: .owner) }
            try await expect("live", "withdrawn", after: "making the alias a domain")
        }
    }

    @Test("states are right after drafts were edited while versions went live")
    func races() async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            let versions = try await test.write { tenant in
                try tenant.addVerified(host)
                return try ["/a", "/b"].map { path in
                    try tenant.freeze(
                        Sample.draft(path: path).association().bytes, of: host, draftRevision: 1, message: "",
                        report: Sample.report)
                }
            }
            for round in 0..<40 {
                async let edited = test.write { tenant in
                    let old = try tenant.lockedDraft(host, expecting: nil)
                    return try tenant.saveDraft(
                        Sample.draft(path: round.isMultiple(of: 3) ? "/a" : "/b"), of: host, replacing: old)
                }
                async let live = test.write { tenant in
                    _ = try tenant.lockedDomain(host)
                    return try tenant.activate(versions[round % 2], of: host, expecting: .anything)
                }
                _ = try await (edited, live)
                let states = try await states(test)
                #expect(states[host.description] == ((round % 3 == 0) == (round % 2 == 0) ? "live" : "changed"))
            }
        }
    }

    @Test("a domain is deleted while its draft is edited, without a deadlock")
    func deletingWhileEditing() async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            try await test.write { try $0.addVerified(host) }
            let hold = Hold()
            let isOver = Flag()
            async let edited = test.write { tenant in
                let old = try tenant.lockedDraft(host, expecting: nil)
                hold.stop()
                return try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
            }
            await hold.reached()
            let deleting = Task {
                defer { isOver.set() }
                try await test.write { try $0.deleteDomain(host, as: .owner) }
            }
            try await test.database.untilBlocked(unless: isOver)
            hold.release()
            _ = try await edited
            try await deleting.value
            await #expect(throws: StorageError.notFound(kind: "domain", key: host.description)) {
                try await test.read { try $0.domain(host) }
            }
        }
    }

    @Test("a claim cannot be changed without its organization, because its state would not follow")
    func claimsOfOthers() async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            try await test.write { try $0.addVerified(host) }
            let other = try await test.another("second").organization.uuid
            for change: SQL in ["update claims set left_out = true", "delete from claims"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await test.database.runtime.write(as: other) { try $0.execute(change) }
                }
                #expect(error?.sqlState == "42501", "\(change)")
            }
            #expect(try await states(test) == [host.description: "unpublished"])
        }
    }

    @Test("labels and words follow changes and deletions of domains")
    func rows() async throws {
        let (host, alias) = (try Host("www.example.com"), try Host("alias.example.com"))
        try await withStore { test in
            try await test.write { tenant in
                _ = try tenant.createDomain(host, labels: ["one", "two"])
                _ = try tenant.createDomain(alias, labels: ["two"])
                _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["three"])
            }
            func hosts(label: String) async throws -> [Host] {
                try await test.read { try $0.domains(Page(), DomainFilter(label: label)).items.map(\.host) }
            }
            #expect(try await hosts(label: "one") == [])
            #expect(try await hosts(label: "two") == [alias])
            #expect(try await hosts(label: "three") == [host])
            try await test.write { try $0.deleteDomain(alias) }
            #expect(try await hosts(label: "two") == [])
            let left = try await test.asSuperuser { database in
                try ["domain_states", "domain_labels", "domain_words"].map { table in
                    try database.query("select host from \(identifier: table)").map { row in
                        try row.decode("host", as: String.self)
                    }
                }
            }
            #expect(left.map { Set($0) } == Array(repeating: [host.description], count: 3))
        }
    }
}

import AASA
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Conflicts")
struct ConstraintTests {
    private let team = Result { try TeamID("ABCDE12345") }
    private let app = Result { try AppID("ABCDE12345.com.example.app") }
    private let host = Result { try Host("www.example.com") }

    @Test("an existing key gives an error that names the kind, not PostgreSQL's error")
    func taken() async throws {
        let (team, app, host) = (try team.get(), try app.get(), try host.get())
        let makers: [(String, @Sendable (TenantTransaction) throws -> Void)] = [
            ("team", { _ = try $0.createTeam(team, name: "a") }),
            ("app", { _ = try $0.createApp(app, teamID: team, name: "a") }),
            ("domain", { _ = try $0.createDomain(host) }),
        ]
        try await withStore { test in
            for (kind, make) in makers {
                try await test.write { try make($0) }
                await #expect(throws: StorageError.exists(kind: kind)) { try await test.write { try make($0) } }
            }
            let other = StoreUnderTest(database: test.database, store: test.store, organization: ID())
            await #expect(throws: StorageError.exists(kind: "organization")) {
                try await other.write { try $0.createOrganization(slug: "acme", name: "another") }
            }
        }
    }

    @Test("if many create the same row at once, one succeeds and the others learn that it exists")
    func race() async throws {
        let team = try team.get()
        try await withStore { test in
            let outcomes = await withTaskGroup(of: StorageError?.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        do {
                            _ = try await test.write { try $0.createTeam(team, name: "a") }
                            return nil
                        } catch { return error as? StorageError ?? .claimedElsewhere }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.count { $0 == .exists(kind: "team") } == 11)
        }
    }

    @Test("a row in use stays, and the error names its users")
    func inUse() async throws {
        let (team, app, host) = (try team.get(), try app.get(), try host.get())
        try await withStore { test in
            try await test.write { tenant in
                _ = try tenant.createTeam(team, name: "a")
                _ = try tenant.createApp(app, teamID: team, name: "a")
                _ = try tenant.createDomain(host)
                _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.draft(host))
            }
            await #expect(throws: StorageError.inUse(kind: "team", usedBy: [app.description], total: 1)) {
                try await test.write { try $0.deleteTeam(team) }
            }
            await #expect(throws: StorageError.appInUse(drafts: HostSample([host.description]), files: HostSample())) {
                try await test.write { try $0.deleteApp(app) }
            }
            try await test.write { tenant in
                _ = try tenant.saveDraft(Draft(), of: host, replacing: tenant.draft(host))
                try tenant.deleteApp(app)
                try tenant.deleteTeam(team)
            }
        }
    }

    @Test("an app needs a registered team, and the error names it, even if the team is deleted meanwhile")
    func teamNotRegistered() async throws {
        let (team, app) = (try team.get(), try app.get())
        try await withStore { test in
            await #expect(throws: StorageError.teamNotRegistered("ABCDE12345")) {
                try await test.write { try $0.createApp(app, teamID: team, name: "a") }
            }
            for _ in 0..<20 {
                _ = try await test.write { try $0.createTeam(team, name: "a") }
                async let made = test.write { try $0.createApp(app, teamID: team, name: "a").appID }
                async let gone: Void = test.write { try $0.deleteTeam(team) }
                do { _ = try await made } catch { #expect(error as? StorageError == .teamNotRegistered("ABCDE12345")) }
                do { try await gone } catch {
                    #expect(error as? StorageError == .inUse(kind: "team", usedBy: [app.description], total: 1))
                    try await test.write { tenant in
                        try tenant.deleteApp(app)
                        try tenant.deleteTeam(team)
                    }
                }
            }
        }
    }

    @Test("a draft's revision increases by one, and a change of an older revision is not written")
    func revisions() async throws {
        let host = try host.get()
        try await withStore { test in
            _ = try await test.write { try $0.createDomain(host) }
            let first = try await test.read { try $0.draft(host) }
            #expect(first.revision == 1)
            let saved = try await test.write { try $0.saveDraft(Sample.draft(), of: host, replacing: first) }
            #expect(saved.revision == 2)
            #expect(saved.draft == Sample.draft())
            await #expect(throws: StorageError.revisionMoved(current: 2)) {
                try await test.write { try $0.saveDraft(Draft(), of: host, replacing: first) }
            }
            await #expect(throws: StorageError.revisionMoved(current: 2)) {
                try await test.write { try $0.lockedDraft(host, expecting: 1) }
            }
            #expect(try await test.read { try $0.draft(host).draft } == Sample.draft())
        }
    }

    @Test("if twenty change a draft at once, each from the revision that it read, no change is lost")
    func concurrentEdits() async throws {
        let host = try host.get()
        try await withStore(connections: 12) { test in
            _ = try await test.write { try $0.createDomain(host) }
            let saved = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try? await test.write { tenant in
                            let old = try tenant.lockedDraft(host, expecting: nil)
                            var draft = old.draft
                            draft.entries.append(Draft.Entry(id: "e\(number)", apps: [], rules: []))
                            return try tenant.saveDraft(draft, of: host, replacing: old).revision
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(saved.compactMap(\.self).sorted() == Array(2...21))
            #expect(try await test.read { try $0.draft(host).draft.entries.count } == 20)
        }
    }

    @Test("a publication that has started can be cancelled, and one that has ended cannot")
    func cancelling() async throws {
        let host = try host.get()
        try await withStore { test in
            let publication = try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host)
                return try tenant.createPublication(NewPublication(of: host, version: 1, report: Sample.report))
            }
            let begun = try await test.write { tenant in
                let publication = try tenant.createPublication(
                    NewPublication(of: host, version: 1, report: Sample.report))
                try tenant.begin(publication, attempt: 1)
                return try tenant.cancelPublication(publication.id, of: host, reason: "not today")
            }
            #expect((begun.state, begun.cause) == (.cancelled, "cancelled by ada@example.com: not today"))
            _ = try await test.write { try $0.end(publication, as: .failed, cause: "x") }
            await #expect(throws: StorageError.publicationEnded(state: "failed")) {
                try await test.write { try $0.cancelPublication(publication.id, of: host) }
            }
        }
    }
}

import AASA
import Postgres
import Storage
import Testing

@Suite("Approvals")
struct ApprovalTests {
    private static let bob = Author(kind: .user, name: "bob@example.com")
    private static let eve = Author(kind: .user, name: "eve@example.com")
    private static let token = Author(kind: .token, name: "ci")

    /// Gives a test a domain that needs an approval, with a draft that Ada edited, and two publishers.
    private func withGuardedDomain(
        connections: Int = 4, _ body: (StoreUnderTest, Host) async throws -> Void
    ) async throws {
        let host = try Host("www.example.com")
        try await withStore(connections: connections) { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.draft(host))
                _ = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: nil, approvals: 1))
                for person in [Self.bob, Self.eve] {
                    _ = try tenant.addMember(email: person.name, name: "x", role: .publisher)
                }
            }
            try await body(test, host)
        }
    }

    private func request(_ test: StoreUnderTest, _ host: Host) async throws -> ApprovalRequest {
        try await test.write { try $0.requestApproval(of: .hosts([host]), message: "why") }
    }

    private func need(_ test: StoreUnderTest, _ file: ApprovalRequest.File) async throws -> ApprovalNeed? {
        try await test.read { try $0.approvalNeed(of: HostFile(file.host, file.sha256)) }
    }

    private func approve(
        _ request: ApprovalRequest, _ test: StoreUnderTest, by person: Author = Self.bob
    ) async throws -> ApprovalRequest {
        try await test.store.write(as: test.organization, by: person) { try $0.approve(request.id, text: "yes") }
    }

    @Test("an approval counts for exactly the file, on its domain")
    func exactFile() async throws {
        try await withGuardedDomain { test, host in
            let asked = try await request(test, host)
            let approved = try await approve(asked, test)
            #expect(approved.state == .approved)
            #expect(try await test.trail().last == "user bob@example.com approval.given ID")
            let file = try #require(approved.files.first)
            #expect(try await need(test, file) == ApprovalNeed(required: 1, given: 1))
            let (other, another) = (digest([1]), try Host("other.example.com"))
            try await test.write { _ = try $0.createDomain(another) }
            let needs = try await test.read {
                try $0.approvalNeeds(of: [HostFile(host, other), HostFile(another, file.sha256)], for: .system)
            }
            #expect(needs.values.allSatisfy { $0 == ApprovalNeed(required: 1, given: 0) })
            #expect(needs.count == 2)
        }
    }

    @Test("the policy that requires most decides, and a label's policy is only for its domains")
    func policies() async throws {
        try await withGuardedDomain { test, host in
            let asked = try await request(test, host)
            let file = try #require(asked.files.first)
            try await test.write {
                _ = try $0.createApprovalPolicy(ApprovalPolicy.Terms(label: "other", approvals: 9))
            }
            #expect(try await need(test, file)?.required == 1)
            try await test.write { tenant in
                _ = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: "strict", approvals: 3))
                _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["strict"], as: .owner)
            }
            #expect(try await need(test, file)?.required == 3)
        }
    }

    @Test("an edit that no person made requires one more approval, until a later version is live")
    func unknownEditor() async throws {
        try await withGuardedDomain { test, host in
            let stored = try await test.store.write(as: test.organization, by: Self.token) { tenant in
                try tenant.saveDraft(Sample.draft(path: "/b"), of: host, replacing: tenant.draft(host))
            }
            let asked = try await request(test, host)
            #expect(asked.files.map(\.need?.required) == [2])
            #expect(asked.files.first?.editors == [StoreUnderTest.author, Self.token])
            try await test.write { tenant in
                let version = try tenant.freeze(
                    stored.contents.file.bytes, of: host, draftRevision: stored.revision, message: "",
                    report: Sample.report)
                _ = try tenant.activate(version, of: host, expecting: .anything)
                _ = try tenant.saveDraft(Sample.draft(path: "/c"), of: host, replacing: tenant.draft(host))
            }
            let second = try await request(test, host)
            #expect(second.files.map(\.need?.required) == [1])
            #expect(second.files.first?.editors == [StoreUnderTest.author])
        }
    }

    /// Saves the draft as a version.
    private func freeze(
        _ test: StoreUnderTest, _ host: Host, isLive: Bool = false
    ) async throws -> Version {
        try await test.write { tenant in
            let stored = try tenant.draft(host)
            let version = try tenant.freeze(
                stored.contents.file.bytes, of: host, draftRevision: stored.revision, message: "",
                report: Sample.report)
            if isLive { _ = try tenant.activate(version, of: host, expecting: .anything) }
            return version
        }
    }

    private func edit(_ test: StoreUnderTest, _ host: Host, path: String, by editor: Author) async throws {
        try await test.store.write(as: test.organization, by: editor) { tenant in
            _ = try tenant.saveDraft(Sample.draft(path: path), of: host, replacing: tenant.draft(host))
        }
    }

    private func request(_ version: Version, _ test: StoreUnderTest, _ host: Host) async throws -> ApprovalRequest {
        try await test.write { try $0.requestApproval(of: .hosts([host]), version: version.number, message: "why") }
    }

    @Test("the editors of a saved version cannot approve it after a newer file went live")
    func editorsOfSavedVersion() async throws {
        try await withGuardedDomain { test, host in
            _ = try await freeze(test, host, isLive: true)
            try await edit(test, host, path: "/token", by: Self.token)
            try await edit(test, host, path: "/mine", by: Self.bob)
            let saved = try await freeze(test, host)
            try await edit(test, host, path: "/newer", by: Self.eve)
            _ = try await freeze(test, host, isLive: true)
            let asked = try await request(saved, test, host)
            #expect(asked.files.map(\.editors) == [[Self.bob, Self.token]])
            #expect(asked.files.map(\.need?.required) == [2])
            await #expect(throws: StorageError.ownChange) { try await approve(asked, test) }
            #expect(try await approve(asked, test, by: Self.eve).files.map(\.need?.given) == [1])
            // The same bytes in the draft have the same editors.
            try await edit(test, host, path: "/mine", by: StoreUnderTest.author)
            let again = try await request(test, host)
            await #expect(throws: StorageError.ownChange) { try await approve(again, test) }
        }
    }

    @Test("every edit counts for a version that is saved from an older revision than the live version")
    func editorsOfLateVersion() async throws {
        try await withGuardedDomain { test, host in
            try await edit(test, host, path: "/mine", by: Self.bob)
            let old = try await test.read { try $0.draft(host) }
            try await edit(test, host, path: "/newer", by: Self.eve)
            _ = try await freeze(test, host, isLive: true)
            let late = try await test.write { tenant in
                try tenant.freeze(
                    old.contents.file.bytes, of: host, draftRevision: old.revision, message: "", report: Sample.report)
            }
            let asked = try await request(late, test, host)
            await #expect(throws: StorageError.ownChange) { try await approve(asked, test) }
        }
    }

    @Test("the person who restored a version cannot approve it")
    func editorOfRestoredVersion() async throws {
        try await withGuardedDomain { test, host in
            _ = try await freeze(test, host, isLive: true)
            let restored = try await test.store.write(as: test.organization, by: Self.bob) { tenant in
                try tenant.freeze(
                    Sample.file(path: "/restored"), of: host, draftRevision: 1, message: "", report: Sample.report,
                    isRestored: true)
            }
            let asked = try await request(restored, test, host)
            #expect(asked.files.map(\.editors) == [[Self.bob]])
            await #expect(throws: StorageError.ownChange) { try await approve(asked, test) }
            #expect(try await approve(asked, test, by: Self.eve).state == .approved)
        }
    }

    @Test("a person among many editors cannot approve, and is listed before the tokens")
    func manyEditors() async throws {
        try await withGuardedDomain { test, host in
            try await edit(test, host, path: "/mine", by: Self.bob)
            for number in 1...101 {
                try await edit(test, host, path: "/\(number)", by: Author(kind: .token, name: "ci \(number)"))
            }
            let asked = try await request(test, host)
            #expect(asked.files.map { Set($0.editors.prefix(2)) } == [[StoreUnderTest.author, Self.bob]])
            #expect(asked.files.map(\.editors.count) == [100])
            for number in 1...101 {
                let person = Author(kind: .user, name: "a\(number)@example.com")
                try await edit(test, host, path: "/people-\(number)", by: person)
            }
            let second = try await request(test, host)
            #expect(second.files.first?.editors.contains(Self.bob) == false)
            await #expect(throws: StorageError.ownChange) { try await approve(second, test) }
        }
    }

    @Test("only people who can bypass every policy of the domain can bypass")
    func bypassers() async throws {
        try await withGuardedDomain { test, host in
            let file = try #require(try await request(test, host).files.first)
            func canBypass(_ person: Author) async throws -> Bool? {
                try await test.read { tenant in
                    let file = HostFile(file.host, file.sha256)
                    return try tenant.approvalNeeds(of: [file], for: person)[file]?.isBypasser
                }
            }
            #expect(try await canBypass(Self.bob) == false)
            try await test.write { tenant in
                let policy = try #require(try tenant.approvalPolicies(Page()).items.first)
                _ = try tenant.changeApprovalPolicy(policy.id, approvals: nil, bypassers: ["BOB@example.com"])
            }
            #expect(try await canBypass(Self.bob) == true)
            #expect(try await canBypass(Author(kind: .token, name: Self.bob.name)) == false)
            for (role, expected) in [(Role.editor, false), (.publisher, true)] {
                try await test.write { _ = try $0.changeRole(of: Self.bob.name, to: role) }
                #expect(try await canBypass(Self.bob) == expected)
            }
            try await test.write { tenant in
                _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["strict"])
                _ = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: "strict", approvals: 1))
            }
            #expect(try await canBypass(Self.bob) == false)
        }
    }

    @Test("a removed member bypasses nothing, and is no longer named by the policies, even as a new member")
    func removedBypasser() async throws {
        try await withGuardedDomain { test, host in
            let file = try #require(try await request(test, host).files.first)
            let people = [Self.bob.name, Self.eve.name]
            try await test.write { tenant in
                let policy = try #require(try tenant.approvalPolicies(Page()).items.first)
                _ = try tenant.changeApprovalPolicy(policy.id, approvals: nil, bypassers: people)
                _ = try tenant.removeMember(Self.bob.name)
                _ = try tenant.addMember(email: Self.bob.name, name: "x", role: .publisher)
            }
            #expect(try await test.trail().count { $0 == "user ada@example.com policy.changed *" } == 2)
            let (policies, need) = try await test.store.write(as: test.organization, by: Self.bob) { tenant in
                (try tenant.approvalPolicies(Page()).items, try tenant.approvalNeed(of: HostFile(host, file.sha256)))
            }
            #expect(policies.map(\.terms.bypassers) == [[Self.eve.name]])
            #expect(need?.isBypasser == false)
        }
    }

    @Test("an approval and a rejection at the same time end with a rejected request")
    func approvalAndRejection() async throws {
        try await withGuardedDomain { test, host in
            for _ in 0..<5 {
                let asked = try await request(test, host)
                async let approval = try? approve(asked, test)
                async let rejection = test.store.write(as: test.organization, by: Self.eve) {
                    try $0.reject(asked.id, because: "no")
                }
                _ = try await (approval, rejection)
                let file = try #require(asked.files.first)
                #expect(try await test.read { try $0.approvalRequest(asked.id).state } == .rejected)
                #expect(try await need(test, file)?.given == 0)
            }
        }
    }

    @Test("two approvals at the same time both count")
    func twoApprovals() async throws {
        try await withGuardedDomain { test, host in
            let asked = try await request(test, host)
            async let first = approve(asked, test)
            async let second = approve(asked, test, by: Self.eve)
            _ = try await (first, second)
            #expect(try await need(test, #require(asked.files.first))?.given == 2)
        }
    }

    @Test("only an owner adds a label with a policy to a domain, or removes it or the domain; a new one can have it")
    func labels() async throws {
        try await withGuardedDomain { test, host in
            try await test.write { tenant in
                _ = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: "strict", approvals: 1))
            }
            for role in Role.allCases where role < .owner {
                await #expect(throws: StorageError.self) {
                    try await test.write { _ = try $0.updateDomain(host, aliasOf: nil, labels: ["strict"], as: role) }
                }
            }
            let new = try Host("new.example.com")
            try await test.write { _ = try $0.createDomain(new, labels: ["strict"]) }
            await #expect(throws: StorageError.self) {
                try await test.write { _ = try $0.updateDomain(new, aliasOf: nil, labels: [], as: .admin) }
            }
            try await test.write { _ = try $0.updateDomain(new, aliasOf: nil, labels: [], as: .owner) }
            let alias = try Host("alias.example.com")
            await #expect(throws: StorageError.self) {
                try await test.write {
                    _ = try $0.createDomain(alias, aliasOf: new, labels: ["strict"], as: .admin)
                }
            }
            try await test.write { tenant in
                _ = try tenant.createDomain(alias, aliasOf: new, labels: ["strict"], as: .owner)
                _ = try tenant.createDomain(Host("deleted.example.com"), labels: ["strict"])
            }
            for deleted in [alias, try Host("deleted.example.com")] {
                await #expect(throws: StorageError.self) {
                    try await test.write { try $0.deleteDomain(deleted, as: .admin) }
                }
            }
            await #expect(throws: StorageError.self) {
                try await test.write { _ = try $0.updateDomain(alias, aliasOf: nil, labels: ["strict"], as: .admin) }
            }
            for deleted in [alias, try Host("deleted.example.com")] {
                try await test.write { try $0.deleteDomain(deleted, as: .owner) }
            }
        }
    }

    @Test("the limits of requests and their comments hold")
    func limits() async throws {
        try await withGuardedDomain { test, host in
            let asked = try await request(test, host)
            try await test.write { tenant in
                for _ in 0..<ApprovalRequest.Review.Kind.comment.maximum {
                    _ = try tenant.comment(on: asked.id, "c")
                }
            }
            await #expect(throws: StorageError.tooManyReviews(limit: 200)) {
                try await test.write { _ = try $0.comment(on: asked.id, "one too many") }
            }
            // There is always room for decisions.
            _ = try await approve(asked, test)
            let rejected = try await test.store.write(as: test.organization, by: Self.eve) { tenant in
                try (tenant.reject(asked.id, because: "no"), tenant.reviews(of: asked.id).count)
            }
            #expect(rejected.0.state == .rejected)
            #expect(rejected.1 == 202)
            // One person leaves room for others, and so do all tokens together.
            func ask(_ count: Int, by author: Author) async throws {
                try await test.store.write(as: test.organization, by: author) { tenant in
                    for _ in 0..<count { _ = try tenant.requestApproval(of: .hosts([host]), message: "m") }
                }
            }
            let otherToken = Author(kind: .token, name: "other")
            try await ask(100, by: Self.token)
            await #expect(throws: StorageError.tooManyApprovalRequests(limit: 100)) { try await ask(1, by: otherToken) }
            try await ask(99, by: Self.bob)
            try await ask(1, by: Self.eve)
            await #expect(throws: StorageError.tooManyApprovalRequests(limit: 200)) { try await ask(1, by: Self.bob) }
        }
    }

    @Test("a request ends when all its files have been live, and its approvals still count for them")
    func published() async throws {
        try await withGuardedDomain { test, host in
            let other = try Host("other.example.com")
            try await test.write { tenant in
                try tenant.addVerified(other)
                _ = try tenant.saveDraft(Sample.draft(), of: other, replacing: tenant.draft(other))
            }
            let asked = try await test.write {
                try $0.requestApproval(of: .hosts([host, other]), message: "why")
            }
            _ = try await approve(asked, test)
            _ = try await freeze(test, host, isLive: true)
            #expect(try await test.read { try $0.approvalRequest(asked.id).state } == .approved)
            try await edit(test, host, path: "/newer", by: Self.eve)
            _ = try await freeze(test, host, isLive: true)
            _ = try await freeze(test, other, isLive: true)
            let ended = try await test.read { tenant in
                (try tenant.approvalRequest(asked.id), try tenant.approvalRequests(Page(), isPending: true).items)
            }
            #expect(ended.0.state == .published && ended.0.endedAt != nil && ended.1.isEmpty)
            await #expect(throws: StorageError.approvalRequestEnded(state: "published")) {
                try await approve(asked, test, by: Self.eve)
            }
            let file = try #require(asked.files.first)
            #expect(try await need(test, file)?.given == 1)
        }
    }

    @Test("two publications at the same time end the request of both files")
    func publishedTogether() async throws {
        try await withGuardedDomain { test, host in
            let other = try Host("other.example.com")
            try await test.write { tenant in
                try tenant.addVerified(other)
                _ = try tenant.saveDraft(Sample.draft(), of: other, replacing: tenant.draft(other))
            }
            let asked = try await test.write {
                try $0.requestApproval(of: .hosts([host, other]), message: "why")
            }
            async let first = freeze(test, host, isLive: true)
            async let second = freeze(test, other, isLive: true)
            _ = try await (first, second)
            #expect(try await test.read { try $0.approvalRequest(asked.id).state } == .published)
        }
    }
}

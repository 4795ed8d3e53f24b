import AASA
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Idempotency keys", .timeLimit(.minutes(3)))
struct IdempotencyTests {
    private let caller = UUID()

    private func claim(_ store: StoreUnderTest, caller: UUID? = nil, request: String = "request") -> IdempotencyClaim {
        IdempotencyClaim(
            key: "key", owner: .caller(caller ?? self.caller, in: store.organization), fingerprint: Array(request.utf8))
    }

    /// Creates a team under a claim.
    private func change(_ store: StoreUnderTest, _ team: String, as claim: IdempotencyClaim) async throws {
        try await IdempotencyClaim.$current.withValue(claim) {
            _ = try await store.write { try $0.createTeam(.init(team), name: team) }
        }
    }

    private func use(_ store: StoreUnderTest, _ claim: IdempotencyClaim) async throws -> IdempotencyUse {
        try await store.read { try $0.use(of: claim) }
    }

    private func isLost(_ use: IdempotencyUse) -> Bool {
        if case .lost = use { true } else { false }
    }

    private func age(_ store: StoreUnderTest, _ interval: String) async throws {
        try await store.asSuperuser { database in
            try database.execute(
                "update idempotency_keys set created_at = created_at - \(interval)::text::interval")
        }
    }

    @Test("the key commits with the change, and prevents a second one")
    func once() async throws {
        try await withStore { store in
            let first = claim(store)
            #expect(try await use(store, first) == .none(isFull: false))
            try await change(store, "ABCDE12345", as: first)
            #expect(try await use(store, claim(store)) == .running)
            await #expect(throws: IdempotencyKeyTaken.self) {
                try await change(store, "ABCDE12346", as: claim(store))
            }
            // Further transactions of the same request are part of it.
            try await change(store, "ABCDE12347", as: first)
            #expect(try await store.read { try $0.teams(Page()).items.count } == 2)
            let answer = KeptAnswer(
                status: 201, contentType: "application/json", location: "/v1/teams/ABCDE12345", etag: nil, body: [1])
            try await store.write { try $0.end(first, with: answer) }
            #expect(try await use(store, claim(store)) == .answered(answer))
        }
    }

    @Test("a change that is rolled back leaves no key")
    func rolledBack() async throws {
        try await withStore { store in
            try await change(store, "ABCDE12345", as: claim(store, caller: UUID()))
            let failed = claim(store)
            await #expect(throws: StorageError.exists(kind: "team")) {
                try await change(store, "ABCDE12345", as: failed)
            }
            #expect(failed.isTaken)
            try await store.write { try $0.end(failed, with: nil) }
            #expect(try await use(store, claim(store)) == .none(isFull: false))
        }
    }

    @Test("a request does not wait for another with the same key")
    func concurrent() async throws {
        try await withStore { store in
            let (began, signal) = AsyncStream<Void>.makeStream()
            let mayEnd = DispatchSemaphore(value: 0)
            async let first: Void = IdempotencyClaim.$current.withValue(claim(store)) {
                try await store.write { tenant in
                    _ = try tenant.createTeam(.init("ABCDE12345"), name: "first")
                    signal.finish()
                    mayEnd.wait()
                }
            }
            for await _ in began {}
            await #expect(throws: IdempotencyKeyTaken.self) { try await change(store, "ABCDE12346", as: claim(store)) }
            mayEnd.signal()
            try await first
            #expect(try await store.read { try $0.teams(Page()).items.map(\.name) } == ["first"])
        }
    }

    @Test("a key of another caller, organization or request does not match")
    func isolated() async throws {
        try await withStore { store in
            try await change(store, "ABCDE12345", as: claim(store))
            #expect(try await use(store, claim(store, caller: UUID())) == .none(isFull: false))
            #expect(try await use(store, claim(store, request: "other")) == .otherRequest)
            let other = try await store.another("other")
            #expect(try await use(other, claim(other)) == .none(isFull: false))
            try await change(other, "ABCDE12345", as: claim(other))
        }
    }

    @Test("an answer is lost after a minute, or when its attempt ends without one")
    func lost() async throws {
        try await withStore { store in
            let first = claim(store)
            try await change(store, "ABCDE12345", as: first)
            try await age(store, "61 seconds")
            #expect(isLost(try await use(store, first)))
            let second = claim(store, caller: UUID())
            try await change(store, "ABCDE12346", as: second)
            try await store.write { try $0.end(second, with: nil) }
            #expect(isLost(try await use(store, second)))
        }
    }

    @Test("a key expires after 24 hours, is free again, and is deleted")
    func expired() async throws {
        try await withStore { store in
            try await change(store, "ABCDE12345", as: claim(store))
            try await age(store, "23 hours 59 minutes")
            #expect(try await !store.write { try $0.forgetIdempotencyKeys() })
            await #expect(throws: IdempotencyKeyTaken.self) { try await change(store, "ABCDE12346", as: claim(store)) }
            try await age(store, "1 minute")
            #expect(try await use(store, claim(store)) == .none(isFull: false))
            try await change(store, "ABCDE12346", as: claim(store, request: "other"))
            try await age(store, "24 hours")
            _ = try await store.write { try $0.forgetIdempotencyKeys() }
            let left = try await store.asSuperuser { try $0.query("select from idempotency_keys").count }
            #expect(left == 0)
        }
    }

    @Test("an organization has a limited number of keys, and a kept body a limited length")
    func limits() async throws {
        try await withStore { store in
            let organization = store.organization.uuid
            try await store.asSuperuser { database in
                try database.execute(
                    """
                    insert into idempotency_keys (organization_id, caller, key, fingerprint, attempt)
                    select \(organization), gen_random_uuid(), 'k', '', gen_random_uuid()
                    from generate_series(1, \(claim(store).owner.maximumKeys))
                    """)
            }
            #expect(try await use(store, claim(store)) == .none(isFull: true))
        }
        let long = [UInt8](repeating: 0, count: KeptAnswer.maximumBody + 1)
        #expect(KeptAnswer(status: 200, contentType: nil, location: nil, etag: nil, body: long).body == nil)
        #expect(
            KeptAnswer(status: 200, contentType: nil, location: nil, etag: nil, body: Array(long.dropFirst())).body
                != nil)
    }

    /// Begins a change of an account under a claim.
    private func change(_ store: StoreUnderTest, as claim: IdempotencyClaim) async throws {
        try await IdempotencyClaim.$current.withValue(claim) {
            _ = try await store.store.write { try $0.count(.signIn(email: "some@example.com")) }
        }
    }

    @Test("a key of an account commits with the change of the account, of the installation or of a new organization")
    func ofAccounts() async throws {
        try await withStore { store in
            let users = [ID<User>(), ID<User>()]
            try await store.asSuperuser { database in
                for user in users {
                    try database.execute(
                        "insert into users (id, email, name) values (\(user.uuid), \("\(user)@example.com"), 'u')")
                }
            }
            func claim(_ user: ID<User>, _ request: String = "request") -> IdempotencyClaim {
                IdempotencyClaim(key: "key", owner: .account(user), fingerprint: Array(request.utf8))
            }
            func use(_ claim: IdempotencyClaim) async throws -> IdempotencyUse {
                try await store.store.read { try $0.use(of: claim) }
            }
            let first = claim(users[0])
            try await change(store, as: first)
            #expect(try await use(claim(users[0])) == .running)
            #expect(try await use(claim(users[0], "other")) == .otherRequest)
            #expect(try await use(claim(users[1])) == .none(isFull: false))
            await #expect(throws: IdempotencyKeyTaken.self) { try await change(store, as: claim(users[0])) }
            await #expect(throws: IdempotencyKeyTaken.self) {
                try await change(store, "ABCDE12345", as: claim(users[0]))
            }
            try await change(store, "ABCDE12345", as: claim(users[1]))
            let answer = KeptAnswer(status: 201, contentType: nil, location: nil, etag: nil, body: [1])
            try await store.store.write { try $0.end(first, with: answer) }
            #expect(try await use(claim(users[0])) == .answered(answer))

            try await store.asSuperuser {
                try $0.execute("update account_idempotency_keys set created_at = created_at - interval '24 hours'")
            }
            #expect(try await !store.store.write { try $0.forgetIdempotencyKeys() })
            #expect(try await store.asSuperuser { try $0.query("select from account_idempotency_keys").isEmpty })
            try await store.asSuperuser { database in
                try database.execute(
                    """
                    insert into account_idempotency_keys (user_id, key, fingerprint, attempt)
                    select \(users[0].uuid), n::text, '', gen_random_uuid() from generate_series(1, 100) as n
                    """)
            }
            #expect(try await use(claim(users[0])) == .none(isFull: true))
            #expect(try await use(claim(users[1])) == .none(isFull: false))
        }
    }
}

import Postgres
import Storage
import TestSupport
import Testing

@Suite("Second factors")
struct SecondFactorTests {
    private let secret = [UInt8](repeating: 7, count: 20)

    private func ada(_ test: StoreUnderTest) async throws -> User {
        try await test.write { try $0.addMember(email: "ada@example.com", name: "Ada", role: .owner) }
    }

    private func setUp(_ user: User, in test: StoreUnderTest, lastStep: Int64 = 100) async throws -> [RecoveryCode] {
        let secret = secret
        return try await test.store.write { try $0.setSecondFactor(secret, lastStep: lastStep, of: user.id) }
    }

    @Test("a step can be used once, also by two sign-ins at the same time, and no earlier one after it")
    func steps() async throws {
        try await withStore { test in
            let user = try await ada(test)
            _ = try await setUp(user, in: test)
            let store = test.store
            let used = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await store.write { try $0.useTOTPStep(101, of: user.id) } } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(used == 1)
            #expect(try await store.write { try $0.useTOTPStep(100, of: user.id) } == false)
            #expect(try await store.write { try $0.useTOTPStep(102, of: user.id) })
        }
    }

    @Test("a recovery code works once, for its user only, in any spelling")
    func recoveryCodes() async throws {
        try await withStore { test in
            let user = try await ada(test)
            let other = try await test.write { try $0.addMember(email: "bob@example.com", name: "Bob", role: .viewer) }
            let codes = try await setUp(user, in: test).map(\.text)
            #expect(codes.count == 10 && Set(codes).count == 10)
            func use(_ text: String, _ user: User) async throws -> Bool {
                try await test.store.write { try $0.useRecoveryCode(text, of: user.id) }
            }
            #expect(try await use(codes[0], other) == false)
            #expect(try await use(codes[0].uppercased().filter { $0 != "-" } + " ", user))
            #expect(try await use(codes[0], user) == false)
            #expect(try await test.store.read { try $0.secondFactor(of: user.id)?.recoveryCodes } == 9)
            _ = try await test.store.write { try $0.replaceRecoveryCodes(of: user.id) }
            #expect(try await use(codes[1], user) == false)
            #expect(try await test.store.read { try $0.secondFactor(of: user.id)?.recoveryCodes } == 10)
        }
    }

    @Test("an offered secret changes nothing, and ends after an hour")
    func offers() async throws {
        try await withStore { test in
            let (user, secret) = (try await ada(test), secret)
            try await test.store.write { try $0.offerTOTPSecret(secret, to: user.id) }
            #expect(try await test.store.read { try $0.secondFactor(of: user.id) } == nil)
            #expect(try await test.store.read { try $0.offeredTOTPSecret(to: user.id) } == secret)
            try await test.asSuperuser {
                try $0.execute("update users set totp_offered_at = now() - interval '1 hour'")
            }
            #expect(try await test.store.read { try $0.offeredTOTPSecret(to: user.id) } == nil)
        }
    }

    @Test("nothing is left of a removed second factor")
    func removal() async throws {
        try await withStore { test in
            let user = try await ada(test)
            let codes = try await setUp(user, in: test)
            #expect(try await test.store.write { try $0.removeSecondFactor(of: user.id) })
            #expect(try await test.store.write { try $0.removeSecondFactor(of: user.id) } == false)
            #expect(try await test.store.read { try $0.secondFactor(of: user.id) } == nil)
            #expect(try await test.store.write { try $0.useTOTPStep(200, of: user.id) } == false)
            #expect(try await test.store.write { try $0.useRecoveryCode(codes[0].text, of: user.id) } == false)
        }
    }

    @Test("a sign-in that is taken back does not count, unless the address was tried again")
    func takingBack() async throws {
        try await withStore { test in
            let store = test.store
            func count() async throws -> ProofAttempt {
                try await store.write { try $0.count(.signIn(email: "ada@example.com")) }
            }
            for _ in 0..<20 {
                let attempt = try await count()
                try await store.write { try $0.takeBack(attempt) }
            }
            let earlier = try await count()
            for _ in 0..<4 { _ = try await count() }
            try await store.write { try $0.takeBack(earlier) }
            let last = try await count()
            await #expect(throws: SignInBlocked.self) { try await count() }
            try await store.write { try $0.takeBack(last) }
            _ = try await count()
        }
    }

    @Test("failures of strangers with an address block neither confirmations nor links, which have their own limits")
    func ownCounters() async throws {
        try await withStore { test in
            let user = try await ada(test)
            func attempts(_ counter: ProofCounter) async -> Int {
                var done = 0
                while done < 20, (try? await test.store.write { try $0.count(counter) }) != nil { done += 1 }
                return done
            }
            let own: [ProofCounter] = [.signIn(email: user.email), .confirmation(of: user.id), .link(of: user.id)]
            for counter in own { #expect(await attempts(counter) == SystemTransaction.freeSignInFailures + 1) }
            try await test.store.write { try $0.forgetFailures(own[1]) }
            #expect(await attempts(own[1]) == SystemTransaction.freeSignInFailures + 1)
            #expect(await attempts(own[0]) == 0)
            #expect(await attempts(own[2]) == 0)
        }
    }
}

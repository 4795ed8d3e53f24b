import HTTPTypes
import Postgres
import Storage
import Synchronization
import TestSupport
import Testing

@testable import HTTPAPI

@Suite("Remembered callers", .timeLimit(.minutes(3)))
struct CallerMemoryTests {
    /// Counts the reads of a memory's values.
    private final class Reads: Sendable {
        private let reads = Mutex(0)
        var count: Int { reads.withLock { $0 } }
        func add() { reads.withLock { $0 += 1 } }
    }

    private func opened(limit: Int = 10, lifetime: Duration = .seconds(60)) -> ShortMemory<Int> {
        let memory = ShortMemory<Int>(limit: limit, lifetime: lifetime)
        memory.open()
        return memory
    }

    /// The number of reads for so many questions about one value.
    private func reads(
        of memory: ShortMemory<Int>, questions: Int, secondsLeft: Double? = nil, pause: Duration = .zero
    ) async throws -> Int {
        let reads = Reads()
        for _ in 0..<questions {
            let value = try await memory.value(for: [1]) {
                reads.add()
                return 7
            } secondsLeft: { _ in
                secondsLeft
            }
            #expect(value == 7)
            try await Task.sleep(for: pause)
        }
        return reads.count
    }

    @Test("a value is read once, and again after its time, after its expiry and after everything was forgotten")
    func times() async throws {
        let memory = opened()
        #expect(try await reads(of: memory, questions: 3) == 1)
        memory.forget()
        #expect(try await reads(of: memory, questions: 3) == 1)
        #expect(try await reads(of: opened(lifetime: .milliseconds(1)), questions: 3, pause: .milliseconds(5)) == 3)
        #expect(try await reads(of: opened(), questions: 3, secondsLeft: 0.001, pause: .milliseconds(5)) == 3)
        #expect(try await reads(of: opened(), questions: 3, secondsLeft: 0) == 3)
    }

    @Test("without a connected listener, nothing is remembered")
    func closed() async throws {
        let memory = ShortMemory<Int>(limit: 10, lifetime: .seconds(60))
        #expect(try await reads(of: memory, questions: 3) == 3)
        memory.open()
        #expect(try await reads(of: memory, questions: 3) == 1)
        memory.close()
        #expect(try await reads(of: memory, questions: 3) == 3)
    }

    @Test("a value that was being read while everything was forgotten is not remembered")
    func overtaken() async throws {
        let memory = opened()
        _ = try await memory.value(for: [1]) {
            memory.forget()
            return 7
        } secondsLeft: { _ in
            nil
        }
        #expect(memory.count == 0)
    }

    @Test("unknown secrets are not remembered, and the number of values is limited")
    func limited() async throws {
        let memory = opened()
        for key in UInt8(0)..<100 {
            _ = try await memory.value(for: [key], read: { key % 2 == 0 ? 7 : nil }, secondsLeft: { _ in nil })
            #expect(memory.count <= 10)
        }
        #expect(memory.count > 0)
    }

    /// An API that remembers callers for a minute, so that only a notification makes it forget them in time.
    private func withRememberingAPI(
        _ installation: InstallationUnderTest, _ body: (APIUnderTest) async throws -> Void
    ) async throws {
        let callers = CallerMemory(lifetime: .seconds(60))
        let listener = Listener(
            installation.database.configuration(), channels: [Store.accessChannel], logger: TestCluster.silent)
        let events = listener.events()
        let running = Task { try await listener.run() }
        let listening = AsyncStream.makeStream(of: Void.self)
        let noting = Task {
            for await event in events {
                callers.note(event)
                if event == .listening { listening.continuation.finish() }
            }
        }
        for await _ in listening.stream {}
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(APIUnderTest(store: installation.store, callers: callers)))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        try await running.value
        await noting.value
        try result.get()
    }

    /// Waits until the answers of all APIs have a status, for at most a second.
    private func expectSoon(_ status: Int, _ apis: [APIUnderTest], _ ask: (APIUnderTest) async throws -> Int)
        async throws
    {
        let end = ContinuousClock.now + .seconds(1)
        for api in apis {
            var last = try await ask(api)
            while last != status, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(5))
                last = try await ask(api)
            }
            #expect(last == status)
        }
    }

    @Test("two APIs refuse a revoked token, an ended session and a lowered role within a second")
    func revoked() async throws {
        try await withInstallation { installation in
            try await withRememberingAPI(installation) { first in
                try await withRememberingAPI(installation) { second in
                    let apis = [first, second]
                    try await checkToken(installation, apis)
                    try await checkRole(installation, apis)
                    try await checkSession(installation, apis)
                }
            }
        }
    }

    private func checkToken(_ installation: InstallationUnderTest, _ apis: [APIUnderTest]) async throws {
        let token = try installation.token(.editor)
        func ask(_ api: APIUnderTest) async throws -> Int { try await api.ask(.get, "/v1/teams", token: token).status }
        for api in apis { #expect(try await ask(api) == 200) }
        // Without a notification, the token is still remembered.
        try await installation.database.owner.write { database in
            try database.execute("update credentials set revoked_at = now() where name = 'editor'")
        }
        for api in apis { #expect(try await ask(api) == 200) }
        try await installation.database.owner.write { database in
            try database.execute("update credentials set revoked_at = null where name = 'editor'")
        }
        try await installation.store.write(as: installation.organization, by: .system) { tenant in
            for known in try tenant.tokens() where known.name == "editor" { _ = try tenant.revokeToken(known.id) }
        }
        try await expectSoon(401, apis, ask)
    }

    private func checkRole(_ installation: InstallationUnderTest, _ apis: [APIUnderTest]) async throws {
        let session = try await installation.signIn(.editor)
        func ask(_ api: APIUnderTest) async throws -> Int {
            try await api.ask(
                .post, "/v1/teams", body: #"{"odd":1}"#,
                fields: [
                    "Cookie": "waymark=\(session.text)", "Sec-Fetch-Site": "same-origin",
                    "Content-Type": "application/json",
                ]
            ).status
        }
        for api in apis { #expect(try await ask(api) == 422) }
        try await installation.store.write(as: installation.organization, by: .system) { tenant in
            try tenant.addOwner()
            _ = try tenant.changeRole(of: "editor@example.com", to: .viewer)
        }
        try await expectSoon(403, apis, ask)
        try await installation.store.write(as: installation.organization, by: .system) { tenant in
            _ = try tenant.changeRole(of: "editor@example.com", to: .editor)
        }
        try await expectSoon(422, apis, ask)
        try await installation.store.write(as: installation.organization, by: .system) { tenant in
            _ = try tenant.removeMember("editor@example.com")
        }
        try await expectSoon(400, apis, ask)
    }

    private func checkSession(_ installation: InstallationUnderTest, _ apis: [APIUnderTest]) async throws {
        let session = try await installation.signIn(.viewer)
        func ask(_ api: APIUnderTest) async throws -> Int {
            try await api.ask(.get, "/v1/teams", fields: ["Cookie": "waymark=\(session.text)"]).status
        }
        for api in apis { #expect(try await ask(api) == 200) }
        let ended = try await apis[0].ask(
            .delete, "/v1/session",
            fields: ["Cookie": "waymark=\(session.text)", "Sec-Fetch-Site": "same-origin"])
        #expect(ended.status == 204)
        #expect(try await ask(apis[0]) == 401)
        try await expectSoon(401, apis, ask)
    }
}

extension TenantTransaction {
    fileprivate func addOwner() throws { _ = try addMember(email: "owner@example.com", name: "Owner", role: .owner) }
}

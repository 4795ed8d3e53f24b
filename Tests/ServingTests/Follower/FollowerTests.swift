import NIOCore
import Testing

@testable import Serving
@testable import Snapshot

@Suite("Follower", .timeLimit(.minutes(3)))
struct FollowerTests {
    let root: TemporaryDirectory
    let key: SigningKey
    let source = FakeSource()
    let table = LiveTable()

    init() throws {
        root = try TemporaryDirectory()
        key = try SigningKey()
    }

    func follower(
        _ table: LiveTable? = nil, source: (any SnapshotSource)? = nil, faults: @escaping FaultInjector = noFaults
    ) throws -> SnapshotFollower {
        var configuration = SnapshotFollower.Configuration()
        configuration.pause = .milliseconds(5)
        configuration.firstRetry = .milliseconds(5)
        configuration.longestRetry = .milliseconds(20)
        return SnapshotFollower(
            configuration: configuration, source: source ?? self.source,
            directory: try SnapshotDirectory(path: root.path, faults: faults), trusted: [key.verificationKey],
            consumer: table ?? self.table, logger: quietLogger)
    }

    func offer(_ activation: Int64, _ entries: [ManifestEntry], isEmptied: Bool = false) async throws {
        await source.offer(
            try Manifest(activation: activation, entries: entries, isEmptied: isEmptied).signed(by: key))
    }

    func body(_ host: String, in table: LiveTable? = nil) -> [UInt8]? {
        guard case .file(let file, _) = (table ?? self.table).current?.answer(host) else { return nil }
        return Array(file.identity.body.readableBytesView)
    }

    func isUnknown(_ host: String) -> Bool {
        if case .unknown = table.current?.answer(host) { true } else { false }
    }

    func isUnavailable(_ host: String, in table: LiveTable) -> Bool {
        if case .unavailable = table.current?.answer(host) { true } else { false }
    }

    /// Runs the follower until `isDone`; fails if that takes too long.
    func run(_ follower: SnapshotFollower, until isDone: @escaping @Sendable () async -> Bool) async throws {
        let task = Task { try await follower.run() }
        defer { task.cancel() }
        for _ in 0..<4000 {
            if await isDone() {
                task.cancel()
                try await task.value
                return
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the follower did not reach the goal: \(follower.status)")
    }

    /// Runs the follower until it has been offered the current manifest a few times.
    func runSome(_ follower: SnapshotFollower) async throws {
        let before = await source.manifestRequests
        try await run(follower) { await source.manifestRequests > before + 4 }
    }

    /// Offers hosts a and b at activation 2.
    func prepare() async throws {
        await source.put(files: 1...9)
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 2)])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 2 }
    }

    @Test("a manifest is followed, its blobs are fetched once, and a new one replaces it")
    func follows() async throws {
        await source.put(files: 1...2)
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 1)])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 2 }
        #expect(body("a.example") == file(1))
        #expect(body("b.example") == file(1))
        #expect(await source.blobRequests == [hash(1)])
        try await offer(3, [entry("a.example", activation: 3, file: 2), entry("b.example", activation: 2, file: 1)])
        try await run(follower) { follower.status.activation == 3 }
        #expect(body("a.example") == file(2))
        #expect(await source.blobRequests == [hash(1), hash(2)])
        #expect(await source.isClosed)
    }

    @Test("it starts from the disk alone while the source is unavailable")
    func restart() async throws {
        try await prepare()
        await source.fail(with: .unreachable("down"))
        let table = LiveTable()
        let follower = try follower(table)
        await follower.start()
        #expect(body("a.example", in: table) == file(1))
        #expect(body("b.example", in: table) == file(2))
        #expect(follower.status.activation == 2)
        try await runSome(follower)
        #expect(body("a.example", in: table) == file(1))
        #expect(follower.status.trouble?.contains("does not answer") == true)
        await source.fail(with: nil)
        try await run(follower) { follower.status.trouble == nil }
        try await offer(3, [entry("a.example", activation: 3, file: 3), entry("b.example", activation: 2, file: 2)])
        try await run(follower) { follower.status.activation == 3 }
        #expect(follower.status.trouble == nil)
    }

    @Test("before it follows, it reads the disk again only if another process has changed it")
    func readingAgain() async throws {
        try await prepare()
        let late = LiveTable()
        let follower = try follower(late)
        await follower.start()
        let before = late.current
        await follower.readAgain()
        #expect(late.current === before)

        try await offer(3, [entry("a.example", activation: 3, file: 3)])
        let ahead = try self.follower()
        try await run(ahead) { ahead.status.activation == 3 }
        #expect(body("a.example", in: late) == file(1))
        await follower.readAgain()
        #expect(body("a.example", in: late) == file(3))
        #expect(body("b.example", in: late) == nil)
        #expect(follower.status.activation == 3)
        try await runSome(follower)
        #expect(await source.tags.last == Manifest.entityTag(of: try #require(await source.signed)))
    }

    @Test("while a file is missing, it reads the disk again: another process may have fetched it")
    func readingAgainWhereFileWasMissing() async throws {
        try await offer(1, [entry("a.example", activation: 1, file: 1)])
        let ahead = try follower()
        try await run(ahead) { ahead.status.activation == 1 }
        let late = LiveTable()
        let follower = try follower(late)
        await follower.start()
        #expect(isUnavailable("a.example", in: late))
        try SnapshotDirectory(path: root.path).store([try Blob(file(1))])
        await follower.readAgain()
        #expect(body("a.example", in: late) == file(1))
    }

    @Test("a host that is missing from a higher manifest is withdrawn")
    func withdrawal() async throws {
        try await prepare()
        let follower = try follower()
        try await offer(3, [entry("b.example", activation: 2, file: 2)])
        try await run(follower) { follower.status.activation == 3 }
        #expect(body("a.example") == nil)
        #expect(isUnknown("a.example"))
        #expect(body("b.example") == file(2))
    }

    @Test("an empty manifest removes nothing unless it says that it is intended")
    func emptiness() async throws {
        try await prepare()
        let follower = try follower()
        try await offer(3, [])
        try await runSome(follower)
        #expect(body("a.example") == file(1))
        #expect(follower.status.activation == 2)
        try await offer(4, [], isEmptied: true)
        try await run(follower) { follower.status.activation == 4 }
        #expect(table.current?.count == 0)
    }

    @Test("an empty manifest is accepted if nothing is served yet")
    func firstEmpty() async throws {
        try await offer(0, [])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 0 }
        #expect(table.current?.count == 0)
    }

    @Test("a manifest that is untrusted, changed, cut or not a manifest changes nothing")
    func untrusted() async throws {
        try await prepare()
        let follower = try follower()
        let entries = [entry("a.example", activation: 3, file: 3)]
        let good = try Manifest(activation: 3, entries: entries).signed(by: key)
        // Every line is well-formed: only the signature shows the fault.
        let changed = Array(
            String(decoding: good, as: UTF8.self).split(separator: hash(3).hex).joined(separator: hash(4).hex).utf8)
        #expect(changed != good)
        let foreign = try Manifest(activation: 3, entries: entries).signed(by: SigningKey())
        for bad in [changed, foreign, Array(good.dropLast()), good + [10], [], Array("<html>".utf8)] {
            await source.offer(bad)
            try await runSome(follower)
            #expect(body("a.example") == file(1))
            #expect(body("b.example") == file(2))
            #expect(follower.status.activation == 2)
        }
        await source.offer(good)
        try await run(follower) { follower.status.activation == 3 }
    }

    @Test("a manifest with a lower activation is refused, also after a restart")
    func rollback() async throws {
        try await prepare()
        let older = try Manifest(activation: 1, entries: [entry("a.example", activation: 1, file: 5)]).signed(by: key)
        await source.offer(older)
        for follower in [try follower(), try follower()] {
            try await runSome(follower)
            // It is refused for this reason, not only because the disk has a newer one.
            await #expect(throws: SnapshotRejection.manifestWentBack(from: 2, to: 1)) {
                try await follower.take(.manifest(signed: older, tag: "\"x\""))
            }
            #expect(body("a.example") == file(1))
            #expect(body("b.example") == file(2))
            #expect(follower.status.activation == 2)
        }
    }

    @Test("a host never goes back or changes under the same activation, while others continue")
    func hostRollback() async throws {
        await source.put(files: 1...9)
        try await offer(5, [entry("a.example", activation: 4, file: 1), entry("b.example", activation: 5, file: 2)])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 5 }
        try await offer(
            6,
            [
                entry("a.example", activation: 3, file: 3), entry("b.example", activation: 5, file: 4),
                entry("c.example", activation: 6, file: 5),
            ])
        try await run(follower) { follower.status.activation == 6 }
        #expect(body("a.example") == file(1))
        #expect(body("b.example") == file(2))
        #expect(body("c.example") == file(5))
        #expect(follower.status.held == 2)
        let table = LiveTable()
        let next = try self.follower(table)
        await next.start()
        #expect(body("a.example", in: table) == file(1))
        #expect(body("b.example", in: table) == file(2))
        #expect(body("c.example", in: table) == file(5))
    }

    @Test("under the same activation, hosts can get higher activations and appear, but not disappear")
    func equalActivation() async throws {
        await source.put(files: 1...9)
        try await offer(5, [entry("a.example", activation: 3, file: 1), entry("b.example", activation: 5, file: 2)])
        let follower = try follower()
        try await run(follower) { follower.status.activation == 5 }
        try await offer(5, [entry("a.example", activation: 4, file: 3), entry("c.example", activation: 2, file: 4)])
        try await run(follower) { follower.status.hosts == 3 }
        #expect(body("a.example") == file(3))
        #expect(body("b.example") == file(2))
        #expect(body("c.example") == file(4))
        let table = LiveTable()
        try await self.follower(table).start()
        #expect(body("b.example", in: table) == file(2))
    }
}

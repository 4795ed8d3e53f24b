import Glibc
import Testing

@testable import Serving
@testable import Snapshot

@Suite("Directory writer", .timeLimit(.minutes(3)))
struct DirectoryWriterTests {
    let root: TemporaryDirectory
    let key: SigningKey
    let source = FakeSource()

    init() throws {
        root = try TemporaryDirectory()
        key = try SigningKey()
    }

    func writer(faults: @escaping FaultInjector = noFaults) throws -> DirectoryWriter {
        var following = SnapshotFollower.Configuration()
        following.pause = .milliseconds(5)
        following.firstRetry = .milliseconds(5)
        following.longestRetry = .milliseconds(20)
        return try DirectoryWriter(
            configuration: .init(root: root.path, following: following), source: source,
            trusted: [key.verificationKey], logger: quietLogger, faults: faults)
    }

    func offer(_ activation: Int64, _ entries: [ManifestEntry], isEmptied: Bool = false) async throws {
        await source.put(files: 1...9)
        await source.offer(
            try Manifest(activation: activation, entries: entries, isEmptied: isEmptied).signed(by: key))
    }

    func run(_ writer: DirectoryWriter, until isDone: @escaping @Sendable () async -> Bool) async throws {
        let task = Task { try await writer.run() }
        defer { task.cancel() }
        for _ in 0..<4000 {
            if await isDone() {
                task.cancel()
                try await task.value
                return
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the directory writer did not reach the goal: \(writer.follower.status)")
    }

    /// The bytes that a web server would send for a host.
    func served(_ host: String) -> [UInt8]? { contents(of: "\(root.path)/hosts/\(host)") }

    func hosts() -> [String] { files(below: "\(root.path)/hosts") }

    func reach(_ activation: Int64) async throws {
        let writer = try writer()
        try await run(writer) { writer.follower.status.activation == activation }
    }

    @Test("each host has a link to its blob, and a publication changes the link")
    func layout() async throws {
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 1)])
        try await reach(2)
        #expect(hosts() == ["a.example", "b.example"])
        var target = [CChar](repeating: 0, count: 200)
        let length = readlink("\(root.path)/hosts/a.example", &target, 200)
        #expect(
            String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
                == "../blobs/\(hash(1).hex).json")
        #expect(served("a.example") == file(1) && served("b.example") == file(1))
        try await offer(3, [entry("a.example", activation: 3, file: 2), entry("b.example", activation: 2, file: 1)])
        try await reach(3)
        #expect(served("a.example") == file(2) && served("b.example") == file(1))
        #expect(files(below: root.path + "/tmp").isEmpty)
    }

    @Test("a withdrawn host loses its link, but only through a manifest")
    func withdrawal() async throws {
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 1)])
        try await reach(2)
        symlink("../blobs/x", "\(root.path)/hosts/mine.example")
        try await offer(3, [])
        let writer = try writer()
        let before = await source.manifestRequests
        try await run(writer) { await source.manifestRequests > before + 4 }
        #expect(hosts() == ["a.example", "b.example", "mine.example"])
        try await offer(4, [entry("b.example", activation: 2, file: 1)])
        try await run(writer) { writer.follower.status.activation == 4 }
        #expect(hosts() == ["b.example", "mine.example"])
        try await offer(5, [], isEmptied: true)
        try await run(writer) { writer.follower.status.activation == 5 }
        #expect(hosts() == ["mine.example"])
    }

    @Test(
        "if the state file is damaged or lost, our links are found by their form: none is left over or lost",
        arguments: [Array("rubbish".utf8), [], nil] as [[UInt8]?])
    func lostNotes(state: [UInt8]?) async throws {
        let entries = ["a.example", "b.example", "c.example"].enumerated().map { number, host in
            entry(host, activation: Int64(number + 1), file: number + 1)
        }
        try await offer(3, entries)
        try await reach(3)
        symlink("../elsewhere", "\(root.path)/hosts/mine.example")
        if let state { put(state, at: "\(root.path)/state") } else { unlink("\(root.path)/state") }
        // Without the manifest, the state is not written again before the next manifest, which lacks a host.
        put(Array("rubbish".utf8), at: "\(root.path)/manifest")
        try await offer(4, [entry("a.example", activation: 4, file: 4), entries[2]])
        try await reach(4)
        #expect(hosts() == ["a.example", "c.example", "mine.example"])
        #expect(served("a.example") == file(4) && served("c.example") == file(3))
        try await offer(5, [entries[2]])
        try await reach(5)
        #expect(hosts() == ["c.example", "mine.example"])
    }

    @Test("a directory has one writer, and another one only after the first has ended")
    func oneWriter() async throws {
        var first: DirectoryWriter? = try writer()
        #expect(throws: DirectoryWriterError.inUse(root.path)) { try writer() }
        #expect(first?.follower.status.activation == nil)
        first = nil
        _ = try writer()
    }

    @Test("a changed link and a missing link are corrected at the start")
    func repair() async throws {
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 2)])
        try await reach(2)
        unlink("\(root.path)/hosts/a.example")
        symlink("../blobs/\(hash(1).hex).json", "\(root.path)/hosts/a.example.new")
        rename("\(root.path)/hosts/a.example.new", "\(root.path)/hosts/b.example")
        #expect(served("b.example") == file(1))
        await source.fail(with: .unreachable("down"))
        let writer = try writer()
        await writer.follower.start()
        #expect(served("a.example") == file(1) && served("b.example") == file(2))
    }

    @Test("a damaged file is replaced in one step: its link always leads to a file")
    func rot() async throws {
        try await offer(1, [entry("a.example", activation: 1, file: 1)])
        try await reach(1)
        put(file(2), at: "\(root.path)/blobs/\(hash(1).hex).json")
        let root = root
        let writer = try writer { (point, path) throws(FileSystemError) in
            #expect(contents(of: "\(root.path)/hosts/a.example") != nil, "\(point) of \(path)")
        }
        await writer.follower.start()
        #expect(writer.follower.status.unavailable == 1)
        #expect(served("a.example") != nil)
        try await run(writer) { writer.follower.status.unavailable == 0 }
        #expect(served("a.example") == file(1))
    }

    @Test("the source is asked again just before the links change, and a newer manifest wins")
    func overtaken() async throws {
        let log = PathLog()
        try await offer(1, [entry("a.example", activation: 1, file: 1)])
        try await reach(1)
        try await offer(2, [entry("a.example", activation: 2, file: 2)])
        let newer = try Manifest(activation: 3, entries: [entry("a.example", activation: 3, file: 3)]).signed(by: key)
        await source.onNextBlob { source in await source.offer(newer) }
        let writer = try writer(faults: log.injector)
        try await run(writer) { writer.follower.status.activation == 3 }
        #expect(served("a.example") == file(3))
        #expect(log.count(of: "/hosts/a.example", at: .renamed) == 1)
        #expect(log.count(of: "/manifest", at: .renamed) == 1)
    }

    @Test("a link never goes back to a lower activation, whatever the snapshot")
    func noWayBack() async throws {
        try await offer(3, [entry("a.example", activation: 3, file: 2)])
        try await reach(3)
        let directory = try SnapshotDirectory(path: root.path, layout: .flat)
        try directory.store([Blob(file(1))])
        let older = try Manifest(activation: 2, entries: [entry("a.example", activation: 2, file: 1)])
        let pointers = try HostPointers(root: root.path, faults: noFaults)
        try pointers.apply(ServedSnapshot(manifest: older), from: directory)
        #expect(served("a.example") == file(2))
    }

    /// One publication, one new host and one withdrawal, with a failure at the n-th step, as on a full disk.
    @Test("if any step fails, every link leads to a whole file, and the next run completes", arguments: 0..<45)
    func everyStep(step: Int) async throws {
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 1)])
        try await reach(2)
        try await offer(4, [entry("a.example", activation: 3, file: 2), entry("c.example", activation: 4, file: 3)])
        let fault = OneFault(at: step)
        let root = root
        try await { () async throws in
            let writer = try writer(faults: { (point, path) throws(FileSystemError) in
                for host in files(below: root.path + "/hosts") {
                    let bytes = contents(of: "\(root.path)/hosts/\(host)")
                    #expect(bytes == file(1) || bytes == file(2) || bytes == file(3), "\(host) at \(point)")
                }
                try fault.injector(point, path)
            })
            await writer.follower.start()
            let signed = try Manifest(
                activation: 4,
                entries: [entry("a.example", activation: 3, file: 2), entry("c.example", activation: 4, file: 3)]
            ).signed(by: key)
            try? await writer.follower.take(.manifest(signed: signed, tag: "\"x\""))
        }()
        #expect([file(1), file(2)].contains(served("a.example")))
        try await reach(4)
        #expect(hosts() == ["a.example", "c.example"])
        #expect(served("a.example") == file(2) && served("c.example") == file(3))
        #expect(files(below: root.path + "/tmp").isEmpty)
    }

    @Test("a process killed at any step leaves whole files, and the next writer completes", arguments: 0..<45)
    func killed(step: Int32) async throws {
        try await offer(2, [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 1)])
        try await reach(2)
        try await offer(4, [entry("a.example", activation: 3, file: 2), entry("c.example", activation: 4, file: 3)])
        // A kill leaves the directory as it is at that step. So copy it at that step, and continue with the copy.
        let copy = try TemporaryDirectory()
        let once = OneFault(at: Int(step))
        let root = root
        do {
            let writer = try writer(faults: { (point, path) throws(FileSystemError) in
                do throws(FileSystemError) {
                    try once.injector(point, path)
                } catch {
                    copyDirectory(root.path, to: copy.path)
                }
            })
            try await run(writer) { writer.follower.status.activation == 4 }
        }
        guard once.wasHit else { return #expect(step > 25) }
        for host in files(below: copy.path + "/hosts") {
            let bytes = contents(of: "\(copy.path)/hosts/\(host)")
            #expect(bytes == file(1) || bytes == file(2) || bytes == file(3), "\(host)")
        }
        let next = try DirectoryWriter(
            configuration: .init(root: copy.path), source: source, trusted: [key.verificationKey], logger: quietLogger)
        try await run(next) { next.follower.status.activation == 4 }
        #expect(files(below: copy.path + "/hosts") == ["a.example", "c.example"])
        #expect(contents(of: copy.path + "/hosts/a.example") == file(2))
        #expect(contents(of: copy.path + "/hosts/c.example") == file(3))
        #expect(files(below: copy.path + "/tmp").isEmpty)
    }
}

import Glibc
import Testing

@testable import Snapshot

@Suite("Snapshot directory")
struct SnapshotDirectoryTests {
    let root: TemporaryDirectory
    let key: SigningKey

    init() throws {
        root = try TemporaryDirectory()
        key = try SigningKey()
    }

    var path: String { root.path + "/a/b" }

    func store(_ manifest: Manifest, held: [ManifestEntry] = [], in directory: SnapshotDirectory) throws {
        try directory.store(signed: manifest.signed(by: key), activation: manifest.activation, held: held)
    }

    func load(_ directory: SnapshotDirectory) throws -> StoredSnapshot? {
        try directory.load(trusted: [key.verificationKey])
    }

    @Test("a stored snapshot is loaded, by this process and the next")
    func roundTrip() throws {
        let directory = try SnapshotDirectory(path: path)
        #expect(try load(directory) == nil)
        let manifest = try Manifest(activation: 3, entries: [entry("a.example", activation: 3)])
        try directory.store([Blob(file(1))])
        try store(manifest, in: directory)
        for reader in [directory, try SnapshotDirectory(path: path)] {
            #expect(try load(reader)?.manifest == manifest)
            #expect(try reader.blob(ContentHash(of: file(1)))?.bytes == file(1))
            #expect(try reader.blob(ContentHash(of: file(2))) == nil)
        }
        let hex = ContentHash(of: file(1)).hex
        #expect(files(below: path) == ["blobs/\(hex.prefix(2))/\(hex)", "lock", "manifest"])
    }

    @Test("held entries belong to one manifest and are removed with it")
    func held() throws {
        let directory = try SnapshotDirectory(path: path)
        let old = entry("a.example", activation: 1)
        try store(try Manifest(activation: 3, entries: [entry("a.example", activation: 3)]), held: [old], in: directory)
        let stored = try #require(try load(directory))
        #expect(stored.held == [old])
        try directory.store(held: [], of: ContentHash(of: [1]))
        #expect(try load(directory)?.held == [old])
        try directory.store(held: [], of: stored.manifestHash)
        #expect(try load(directory)?.held == [])
        try directory.store(held: [old], of: stored.manifestHash)
        try store(try Manifest(activation: 4, entries: [entry("a.example", activation: 4)]), in: directory)
        #expect(try load(directory)?.held == [])
        #expect(files(below: path).filter { $0.hasPrefix("held") }.isEmpty)
    }

    @Test("a lower activation than the one on the disk is refused, whichever process wrote it")
    func wentBack() throws {
        let directory = try SnapshotDirectory(path: path)
        try store(try Manifest(activation: 5, entries: []), in: directory)
        #expect(throws: SnapshotDirectoryError.wentBack(stored: 5, offered: 4)) {
            try store(try Manifest(activation: 4, entries: []), in: SnapshotDirectory(path: path))
        }
        #expect(try load(directory)?.manifest.activation == 5)
        try store(try Manifest(activation: 5, entries: [], isEmptied: true), in: directory)
        #expect(try load(directory)?.manifest.isEmptied == true)
    }

    @Test("a manifest that is damaged or signed by an untrusted key is not loaded")
    func untrusted() throws {
        let directory = try SnapshotDirectory(path: path)
        try store(try Manifest(activation: 5, entries: []), in: directory)
        let other = try SigningKey().verificationKey
        #expect(throws: SnapshotDirectoryError.self) { try directory.load(trusted: [other]) }
        var bytes = try #require(contents(of: "\(path)/manifest"))
        bytes[25] ^= 1
        put(bytes, at: "\(path)/manifest")
        #expect(throws: SnapshotDirectoryError.manifest(.badSignature)) { try load(directory) }
        put([], at: "\(path)/manifest")
        #expect(throws: SnapshotDirectoryError.manifest(.noSignature)) { try load(directory) }
        try store(try Manifest(activation: 1, entries: []), in: directory)
        #expect(try load(directory)?.manifest.activation == 1)
    }

    @Test("a damaged list of held entries is an error")
    func damagedHeld() throws {
        let directory = try SnapshotDirectory(path: path)
        let old = entry("a.example", activation: 1)
        try store(try Manifest(activation: 3, entries: [entry("a.example", activation: 3)]), held: [old], in: directory)
        let name = try #require(files(below: path).first { $0.hasPrefix("held") })
        let good = try #require(contents(of: "\(path)/\(name)"))
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 1
            put(bytes, at: "\(path)/\(name)")
            #expect(throws: SnapshotDirectoryError.damagedHeldEntries) { try load(directory) }
        }
    }

    @Test("a blob damaged on the disk counts as missing, stays, and is replaced when it is stored again")
    func rot() throws {
        let directory = try SnapshotDirectory(path: path)
        let hash = ContentHash(of: file(1))
        let stored = "\(path)/\(directory.relativePath(of: hash))"
        let oversize = [UInt8](repeating: 0x20, count: Blob.largest + 1)
        try directory.store([Blob(file(1))])
        #expect(try directory.blob(hash, size: 7) == nil)
        for rotten in [file(2), Array(file(1).dropLast()), [], oversize] {
            put(rotten, at: stored)
            #expect(try directory.blob(hash) == nil)
            let stays = contents(of: stored) == rotten
            #expect(stays)
            try directory.store([Blob(file(1))])
            #expect(try directory.blob(hash)?.bytes == file(1))
        }
    }

    @Test("a file that was found whole before is only checked by its hash")
    func known() throws {
        let directory = try SnapshotDirectory(path: path)
        try directory.store([Blob(file(1))])
        let noJSON = Array("no JSON".utf8)
        let hash = ContentHash(of: noJSON)
        let stored = "\(path)/\(directory.relativePath(of: hash))"
        try DirectoryPath.create(DirectoryPath.parent(of: stored))
        put(noJSON, at: stored)
        #expect(try directory.blob(hash) == nil)
        #expect(try directory.blob(hash, isKnownWhole: true)?.bytes == noJSON)
        #expect(try directory.blob(hash, size: 8, isKnownWhole: true) == nil)
        put(file(2), at: stored)
        #expect(try directory.blob(hash, isKnownWhole: true) == nil)
    }

    @Test("leftovers of a killed process are removed at the start")
    func litter() throws {
        _ = try SnapshotDirectory(path: path)
        put([1, 2], at: "\(path)/tmp/123-4")
        _ = try SnapshotDirectory(path: path)
        #expect(files(below: path) == ["lock"])
    }

    @Test("a process that never releases the lock does not stop others from reading", .timeLimit(.minutes(1)))
    func lockHeld() throws {
        let manifest = try Manifest(activation: 1, entries: [])
        try store(manifest, in: SnapshotDirectory(path: path))
        put([1, 2], at: "\(path)/tmp/123-4")
        do {
            let other = try OpenFile("\(path)/lock", flags: O_RDWR)
            try #require(flock(other.descriptor, LOCK_EX) == 0)
            let directory = try SnapshotDirectory(path: path, lockTimeout: .milliseconds(20))
            #expect(try load(directory)?.manifest == manifest)
            #expect(throws: SnapshotDirectoryError.locked(path)) { try directory.store([Blob(file(1))]) }
            // The other process may be writing this file.
            #expect(files(below: "\(path)/tmp") == ["123-4"])
        }
        try SnapshotDirectory(path: path).store([Blob(file(1))])
        #expect(files(below: "\(path)/tmp").isEmpty)
    }

    @Test("a directory that cannot be created is an error with its path")
    func impossible() throws {
        put([], at: "\(root.path)/file")
        #expect(throws: SnapshotDirectoryError.self) { try SnapshotDirectory(path: "\(root.path)/file/x") }
    }

    @Test("in the flat layout every blob has a different, rising second, and gets a new one when it is used again")
    func distinctTimes() throws {
        let directory = try SnapshotDirectory(path: path, layout: .flat)
        try directory.store((1...20).map { try Blob(file($0)) })
        try SnapshotDirectory(path: path, layout: .flat).store((21...30).map { try Blob(file($0)) })
        func time(_ number: Int) -> Int {
            var status = stat()
            stat("\(path)/blobs/\(ContentHash(of: file(number)).hex).json", &status)
            return status.st_mtim.tv_sec
        }
        let times = (1...30).map(time)
        #expect(times == times.sorted() && Set(times).count == 30)
        #expect(times[0] > 0 && times[19] <= Glibc.time(nil))
        try SnapshotDirectory(path: path, layout: .flat).store([Blob(file(1))])
        #expect(time(1) > times[29])
        #expect(try directory.blobs().count == 30)
    }
}

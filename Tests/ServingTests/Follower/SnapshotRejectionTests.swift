import Testing

@testable import Serving
@testable import Snapshot

@Suite("Rejections of a follower")
struct SnapshotRejectionTests {
    @Test("the summary of a rejection contains no host, file, path or address, and is one line of ASCII")
    func summaries() throws {
        let secret = "secret.example"
        let blob = hash(1)
        let errors: [ManifestError] = [
            .untrustedKey(id: secret), .badHost(secret), .badSize(host: secret, size: 1), .outOfOrder(host: secret),
            .activationAboveManifest(host: secret), .badSignature,
        ]
        let failures: [SnapshotDirectoryError] = [
            .fileSystem(FileSystemError(operation: "write", path: "/\(secret)", code: 28)),
            .fileSystem(FileSystemError(operation: "open", path: "/\(secret)", code: 5)), .locked("/\(secret)"),
            .manifest(.badHost(secret)), .damagedHeldEntries, .wentBack(stored: 2, offered: 1),
        ]
        var rejections: [SnapshotRejection] = [
            .deltaOfAnother(base: secret), .manifestWentBack(from: 2, to: 1), .unexplainedEmptiness(activation: 1),
            .hostWentBack(host: secret, from: 2, to: 1), .hostChangedInPlace(host: secret, activation: 1),
            .hostVanished(host: secret, activation: 1), .blob(blob, .wrongHash), .blob(blob, .notAnObject),
            .blobNotFetched(blob, .unreachable(secret)), .blobNotFetched(blob, .missing),
            .source(.unreachable(secret)), .source(.status(403)),
        ]
        rejections += errors.map { .manifest($0) }
        rejections += errors.map { .delta($0) }
        rejections += failures.map { .directory($0) }
        for rejection in rejections {
            let summary = rejection.summary
            #expect(!summary.contains("secret") && !summary.contains(blob.hex), "\(summary)")
            #expect((1...500).contains(summary.utf8.count))
            #expect(summary.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(summary)")
        }
        let full = SnapshotRejection.directory(failures[0])
        #expect(full.summary == "the disk is full: No space left on device")
        #expect(full.description.hasPrefix("the disk is full: write /secret.example: "))
    }
}

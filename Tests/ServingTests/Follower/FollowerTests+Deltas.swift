import Testing

@testable import Serving
@testable import Snapshot

/// Deltas from a follower's manifest to the newest one.
extension FollowerTests {
    /// The follower has hosts a and b at activation 2. Then b changes and a is removed. Returns the old and the new
    /// signed text, and the delta between them.
    private func next() throws -> (base: [UInt8], signed: [UInt8], delta: [UInt8]) {
        let base = try Manifest(
            activation: 2,
            entries: [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 2)])
        let changes: [ManifestChange] = [
            .removed(host: "a.example", activation: 3), .live(entry("b.example", activation: 4, version: 2, file: 3)),
            .live(entry("c.example", activation: 5, file: 1)),
        ]
        let changed = try base.changed(to: 5, by: changes).signing(by: key)
        return (try base.signed(by: key), changed.bytes, try ManifestDelta.bytes(to: changed, changes: changes))
    }

    @Test("a delta leads to the same bytes on the disk as the whole manifest")
    func delta() async throws {
        try await prepare()
        let (base, signed, delta) = try next()
        await source.offer(signed)
        await source.offer(delta: delta, from: Manifest.entityTag(of: base))
        let follower = try follower()
        try await run(follower) { follower.status.activation == 5 }
        #expect(await source.deltasGiven == 1)
        #expect(isUnknown("a.example"))
        #expect(body("b.example") == file(3))
        #expect(body("c.example") == file(1))
        #expect(contents(of: root.path + "/manifest") == signed)
        #expect(follower.status.trouble == nil)
    }

    /// Deltas that do not give signed bytes.
    private func bad() throws -> [[UInt8]] {
        let (base, signed, delta) = try next()
        let foreign = try Manifest(verifying: signed, trusted: [key.verificationKey]).signing(by: SigningKey())
        let lines = delta.split(separator: 10, omittingEmptySubsequences: false)
        let text = String(decoding: delta, as: UTF8.self)
        let otherFile = text.split(separator: hash(3).hex).joined(separator: hash(1).hex)
        return [
            [], Array("<html>".utf8), Array(delta.dropLast()), delta + [10], base,
            // Every line is well-formed: only the signature shows the fault.
            Array(otherFile.utf8),
            // Without the removal there are more hosts than in the signed head.
            Array(lines.filter { !$0.starts(with: "- ".utf8) }.joined(separator: [10])),
            try ManifestDelta.bytes(to: foreign, changes: [.removed(host: "a.example", activation: 3)]),
        ]
    }

    @Test(
        "a delta that does not give signed bytes changes nothing, and the whole one is requested", arguments: 0..<8)
    func badDelta(index: Int) async throws {
        try await prepare()
        let (base, signed, _) = try next()
        let tag = Manifest.entityTag(of: base)
        await source.offer(signed)
        await source.offer(delta: try bad()[index], from: tag)
        let follower = try follower()
        await follower.start()
        await #expect(throws: SnapshotRejection.self) {
            try await follower.take(.delta(try bad()[index], base: tag, tag: Manifest.entityTag(of: signed)))
        }
        #expect(body("a.example") == file(1) && body("b.example") == file(2))
        await #expect(follower.tag == nil)
        let again = try self.follower()
        try await run(again) { again.status.activation == 5 }
        #expect(await source.deltasGiven == 1)
        let tags = await source.tags
        let asked = try #require(tags.lastIndex(of: tag))
        #expect(tags.dropFirst(asked + 1).first == .some(nil))
        #expect(isUnknown("a.example") && body("b.example") == file(3))
    }

    @Test("a delta from another manifest than the one in use is not read")
    func deltaOfAnother() async throws {
        try await prepare()
        let (_, _, delta) = try next()
        let follower = try follower()
        await follower.start()
        await #expect(throws: SnapshotRejection.deltaOfAnother(base: "\"other\"")) {
            try await follower.take(.delta(delta, base: "\"other\"", tag: "\"x\""))
        }
        #expect(body("a.example") == file(1))
        #expect(follower.status.activation == 2)
    }

    @Test("a delta does not go back, and removes all hosts only if that is intended")
    func rulesHold() async throws {
        try await prepare()
        let follower = try follower()
        await follower.start()
        let base = try Manifest(
            activation: 2,
            entries: [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 2)])
        let tag = Manifest.entityTag(of: try base.signed(by: key))
        let back = try base.changed(to: 1, by: [.live(entry("b.example", activation: 1, file: 2))]).signing(by: key)
        let backward = try ManifestDelta.bytes(to: back, changes: [.live(entry("b.example", activation: 1, file: 2))])
        await #expect(throws: SnapshotRejection.manifestWentBack(from: 2, to: 1)) {
            try await follower.take(.delta(backward, base: tag, tag: "\"x\""))
        }
        let empty = try Manifest(activation: 3, entries: []).signing(by: key)
        let blanking = try ManifestDelta.bytes(
            to: empty,
            changes: [.removed(host: "a.example", activation: 3), .removed(host: "b.example", activation: 3)])
        await #expect(throws: SnapshotRejection.unexplainedEmptiness(activation: 3)) {
            try await follower.take(.delta(blanking, base: tag, tag: "\"x\""))
        }
        #expect(body("a.example") == file(1) && body("b.example") == file(2))
    }
}

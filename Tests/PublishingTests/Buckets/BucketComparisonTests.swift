import Storage
import Testing

@testable import Publishing

@Suite("Comparing buckets")
struct BucketComparisonTests {
    private func entries(_ hosts: String...) -> [BucketPusher.Entry] {
        hosts.map { BucketPusher.Entry(host: $0, path: SinkObject.paths[0], mark: "m") }
    }

    @Test("a listing is compared in parts that divide no host and together cover all hosts")
    func parts() {
        let parts = BucketPusher.parts(entries("c", "a", "b", "b", "c", "d"), atLeast: 2)
        #expect(parts.map(\.hosts) == [["a", "b", "b"], ["c", "c"], ["d"]])
        #expect(parts.map(\.after) == ["", "b", "c"])
        #expect(parts.map(\.last) == ["b", "c", nil])
    }

    @Test("an empty listing is also compared: everything is missing")
    func empty() {
        let parts = BucketPusher.parts([], atLeast: 2)
        #expect(parts.map(\.last) == [nil])
        #expect(parts.map(\.after) == [""])
    }
}

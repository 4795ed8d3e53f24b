import Testing

@testable import Snapshot

private func hash(_ number: Int) -> ContentHash { ContentHash(of: file(number)) }

@Suite("Blob lists")
struct BlobListTests {
    private let two = BlobList.bytes(of: [(hash(1), file(1)), (hash(2), file(2))])

    @Test("a written list is read back, whatever bytes the blobs have")
    func whole() {
        let odd = Array("\n\n\(hash(9)) 3\nabc\n".utf8)
        let list = BlobList.bytes(of: [(hash(1), file(1)), (hash(2), odd), (hash(3), []), (hash(4), file(4))])
        #expect(BlobList.read(list) == [hash(1): file(1), hash(2): odd, hash(3): [], hash(4): file(4)])
        #expect(BlobList.read([]) == [:])
    }

    @Test("a list that is cut anywhere gives the whole blobs before the cut")
    func cut() {
        let first = BlobList.bytes(of: [(hash(1), file(1))]).count
        for count in 0..<two.count {
            #expect(BlobList.read(Array(two.prefix(count))) == (count < first ? [:] : [hash(1): file(1)]))
        }
    }

    @Test(
        "reading stops at the first malformed part",
        arguments: [
            "\(hash(3)) -1\n\n", "\(hash(3)) 131073\n", "\(hash(3))\n\n", "\(hash(3)) 1 1\na\n", "x 1\na\n", "\n",
            "\(hash(3)) 1\nab\n", "\(hash(3)) 99999999999999999999\n\n", String(repeating: " ", count: 200),
        ])
    func malformed(text: String) {
        let list = Array(text.utf8) + two
        #expect(BlobList.read(list) == [:])
        #expect(BlobList.read(two + list) == [hash(1): file(1), hash(2): file(2)])
    }

    @Test("a list with the maximum number of blobs of maximum size is within the limit")
    func largest() {
        let longest = [UInt8](repeating: 0x20, count: Blob.largest)
        let list = BlobList.bytes(of: (0..<BlobList.maximum).map { (hash($0), longest) })
        #expect(list.count <= BlobList.largest(BlobList.maximum))
    }
}

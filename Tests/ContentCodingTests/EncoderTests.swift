import ContentCoding
import Testing

@Suite("Encoders")
struct EncoderTests {
    static let text = Array(String(repeating: "applinks:www.example.com ", count: 100).utf8)
    /// Bytes without a pattern, from a linear congruential generator.
    static let noise: [UInt8] = {
        var state: UInt32 = 1
        return (0..<4096).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
    }()

    @Test("text becomes much shorter, and the same text always becomes the same bytes")
    func text() throws {
        let gzip = GzipEncoder()
        for encode in [gzip.encode, BrotliEncoder.encode] {
            let encoded = try #require(encode(Self.text))
            #expect(encoded.count < Self.text.count / 10)
            #expect(encode(Self.text) == encoded)
        }
    }

    @Test("bytes that would not become shorter are not encoded", arguments: [noise, [1], []])
    func incompressible(bytes: [UInt8]) {
        #expect(GzipEncoder().encode(bytes) == nil)
        #expect(BrotliEncoder.encode(bytes) == nil)
    }
}

import ContentCoding
import Testing

@Suite("Accepted codings")
struct AcceptedCodingsTests {
    @Test(
        "the codings that a client accepts are in the order of its weights, and Brotli is first among equals",
        arguments: [
            ("br, gzip", [Coding.brotli, .gzip]), ("gzip, br", [.brotli, .gzip]),
            ("gzip;q=0.9, br;q=0.8", [.gzip, .brotli]),
            ("*", [.brotli, .gzip]), ("br;q=0, *", [.gzip]), ("gzip", [.gzip]), ("BR", [.brotli]),
            ("identity, br;q=0.5", []), ("identity;q=0.5, br;q=0.5", [.brotli]), ("deflate", []), ("", []),
        ])
    func preferred(accepted: String, codings: [Coding]) {
        var accepts = AcceptedCodings()
        accepts.add(accepted.utf8)
        #expect(accepts.preferred == codings)
        for coding in Coding.allCases { #expect(accepts.prefers(coding) == codings.contains(coding)) }
    }

    @Test("a client that sends no header accepts no coding")
    func absent() {
        #expect(AcceptedCodings().preferred.isEmpty)
    }
}

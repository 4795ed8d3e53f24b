import CZlib
import ContentCoding
import Testing

@testable import Serving
@testable import Snapshot

@Suite("Content coding")
struct ContentCodingTests {
    /// A file that is large enough to encode.
    static let large = Array(
        (#"{"applinks":{"details":["#
            + (0..<60).map { "{\"appIDs\":[\"ABCDE12345.com.example.app\($0)\"]}" }
            .joined(separator: ",") + "]}}").utf8)
    static let tag = ContentHash(of: large).hex

    func withEdge(_ body: @escaping @Sendable (EdgeUnderTest) async throws -> Void) async throws {
        let table = try liveTable(["www.example": Self.large, "small.example": file(1)])
        try await ServingTests.withEdge(table, body)
    }

    @Test(
        "gzip is sent if the request allows it and does not prefer the unencoded file",
        arguments: [
            ("gzip", true), ("GZip", true), ("x-gzip", true), ("deflate, gzip;q=0.5, br", true), ("*", true),
            ("gzip ; q=0.001", true), ("identity;q=0.5, gzip;q=0.5", true), ("*;q=0, gzip", true),
            ("gzip;q=1.000", true),
            ("br, *;q=0.1", true),
            ("", false), ("identity", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000, *", false),
            ("*;q=0", false), ("identity, gzip;q=0.5", false), ("gzip;q=2", false), ("gzip;q=", false),
            ("gzip;q=0.1234", false), ("gzip;level=1", false), ("gzipped", false), ("gzip;q=1.001", false),
        ])
    func negotiation(accepted: String, isEncoded: Bool) async throws {
        try await withEdge { (edge) async throws in
            let answer = try await edge.get(fields: ["Accept-Encoding: \(accepted)"])
            #expect(answer.field("content-encoding") == (isEncoded ? "gzip" : nil))
            #expect(answer.field("vary") == "Accept-Encoding")
            #expect(answer.field("etag") == (isEncoded ? "\"\(Self.tag)-gzip\"" : "\"\(Self.tag)\""))
            #expect(answer.field("content-length") == String(answer.body.count))
            #expect(try isEncoded ? decoded(answer.body) == Self.large : answer.body == Self.large)
            #expect(isEncoded ? answer.body.count < Self.large.count / 2 : true)
        }
    }

    @Test("without the field the file is sent unencoded; several fields count as one list")
    func fields() async throws {
        try await withEdge { (edge) async throws in
            #expect(try await edge.get().body == Self.large)
            let several = ["Accept-Encoding: br", "accept-encoding: gzip"]
            #expect(try await edge.get(fields: several).field("content-encoding") == "gzip")
        }
    }

    @Test("HEAD returns the length and the tag of the form that GET would send")
    func head() async throws {
        try await withEdge { (edge) async throws in
            let get = try await edge.get(fields: ["Accept-Encoding: gzip"])
            let head = try await edge.get(method: "HEAD", fields: ["Accept-Encoding: gzip"])
            #expect(head.body.isEmpty)
            for name in ["content-length", "etag", "content-encoding", "vary"] {
                #expect(head.field(name) == get.field(name), "\(name)")
            }
        }
    }

    @Test("a small file is sent unencoded, whatever is accepted")
    func small() async throws {
        try await withEdge { (edge) async throws in
            let answer = try await edge.get(host: "small.example", fields: ["Accept-Encoding: gzip"])
            #expect(answer.field("content-encoding") == nil)
            #expect(answer.body == file(1))
        }
    }

    @Test("a client that has a form that it can read gets a 304 with that form's tag")
    func notModified() async throws {
        try await withEdge { (edge) async throws in
            let plain = "\"\(Self.tag)\""
            let encoded = "\"\(Self.tag)-gzip\""
            let cases: [(accepted: String, known: String, tag: String?)] = [
                ("gzip", encoded, encoded), ("gzip", plain, plain), ("gzip", "*", encoded),
                ("gzip", "\(plain), \(encoded)", encoded),
                ("identity, gzip;q=0.5", encoded, encoded), ("identity", plain, plain),
                // The client can no longer read the form that it has, or the form must not be sent to it.
                ("identity", encoded, nil), ("gzip;q=0", encoded, nil),
                ("gzip", "\"\(Self.tag)-br\"", nil),
            ]
            for (accepted, known, tag) in cases {
                let fields = ["Accept-Encoding: \(accepted)", "If-None-Match: \(known)"]
                let answer = try await edge.get(fields: fields)
                #expect(answer.status == (tag == nil ? 200 : 304), "\(accepted) \(known)")
                if let tag { #expect(answer.field("etag") == tag, "\(accepted) \(known)") }
                #expect(answer.field("vary") == "Accept-Encoding")
            }
        }
    }

    @Test("a file that gzip does not shorten has no gzip form, and one encoder gives the same bytes for the same file")
    func encoder() throws {
        let encoder = GzipEncoder()
        var state: UInt32 = 1
        let noise = (0..<4096).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        #expect(encoder.encode(noise) == nil)
        #expect(encoder.encode([]) == nil)
        let once = try #require(encoder.encode(Self.large))
        #expect(encoder.encode(Self.large) == once)
        #expect(GzipEncoder().encode(Self.large) == once)
        #expect(try decoded(once) == Self.large)
    }

    private func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        try #require(inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var input = bytes
        return try input.withUnsafeMutableBufferPointer { input in
            try [UInt8](unsafeUninitializedCapacity: 1 << 18) { output, length in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                try #require(inflate(&stream, Z_FINISH) == Z_STREAM_END)
                length = Int(stream.total_out)
            }
        }
    }
}

internal import CZlib

/// Makes the gzip form of files (RFC 1952) with the system's zlib, without a time or a name in it: the same bytes give
/// the same form. One encoder serves many files, so that its memory is set up once.
final class GzipEncoder {
    private var stream = z_stream()
    private let isReady: Bool

    init() {
        // 15 bits of window, and 16 more for gzip's own head and checksum in place of zlib's.
        isReady =
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit { deflateEnd(&stream) }

    /// The gzip form of `bytes`; nil where it is not shorter.
    func encode(_ bytes: [UInt8]) -> [UInt8]? {
        guard isReady, deflateReset(&stream) == Z_OK else { return nil }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: input.count) { output, length in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: input.count)
                // The room is that of the file itself: what does not fit is not worth sending.
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                length = isWhole ? Int(stream.total_out) : 0
            }
            return isWhole && output.count < input.count ? output : nil
        }
    }
}

internal import CZlib

/// Encodes files as gzip (RFC 1952) with the system's zlib, without a time or a name, so that the same bytes always
/// give the same result. Use one encoder for many files, so that its memory is set up only once.
final class GzipEncoder {
    private var stream = z_stream()
    private let isReady: Bool

    init() {
        // 15 bits of window; adding 16 selects gzip's head and checksum instead of zlib's.
        isReady =
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit { deflateEnd(&stream) }

    /// The gzip form of `bytes`; nil if it is not shorter.
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
                // The buffer has the size of the file: a form that does not fit is not worth sending.
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                length = isWhole ? Int(stream.total_out) : 0
            }
            return isWhole && output.count < input.count ? output : nil
        }
    }
}

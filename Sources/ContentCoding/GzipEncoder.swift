internal import CZlib

/// Encodes files as gzip (RFC 1952) with the system's zlib. The output contains no time and no name, so the same bytes
/// always give the same result. Use one encoder for many files, so that its memory is allocated only once.
package final class GzipEncoder {
    private var stream = z_stream()
    private let isReady: Bool

    /// Creates an encoder.
    package init() {
        // A window of 15 bits. Adding 16 selects the header and checksum of gzip instead of those of zlib.
        isReady =
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit { deflateEnd(&stream) }

    /// The gzip form of `bytes`, or `nil` if it is not shorter.
    package func encode(_ bytes: [UInt8]) -> [UInt8]? {
        guard isReady, deflateReset(&stream) == Z_OK else { return nil }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: input.count) { output, length in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: input.count)
                // The buffer is as long as the file, because a longer result would not be used.
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                length = isWhole ? Int(stream.total_out) : 0
            }
            return isWhole && output.count < input.count ? output : nil
        }
    }
}

internal import CBrotli

/// Encodes files with Brotli (RFC 7932), using the system's library. The same bytes always give the same result.
package enum BrotliEncoder {
    /// The quality, from 0 to 11. Higher values take many times as long and save only a few percent.
    private static let quality: Int32 = 6

    /// The Brotli form of `bytes`, or `nil` if it is not shorter.
    package static func encode(_ bytes: [UInt8]) -> [UInt8]? {
        var isWhole = false
        // The buffer is as long as the file, because a longer result would not be used.
        let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, length in
            guard let start = output.baseAddress else { return }
            var written = bytes.count
            isWhole =
                bytes.withUnsafeBufferPointer {
                    BrotliEncoderCompress(
                        quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, bytes.count, $0.baseAddress, &written, start)
                } == BROTLI_TRUE
            length = isWhole ? written : 0
        }
        return isWhole && output.count < bytes.count ? output : nil
    }
}

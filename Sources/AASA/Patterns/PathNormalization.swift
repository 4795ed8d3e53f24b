/// The normalisation that Apple's systems apply to path patterns and URL paths before comparison. Fragments and queries
/// are not normalised [REP].
enum PathNormalization {
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")

    /// The maximum number of bytes that normalisation adds to a path.
    static let room = 2

    /// Returns the normalised path. Each effect was observed [OBS]; the order of the steps is reported [REP].
    static func normalized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count + room) { target, count in
            guard let start = target.baseAddress else { return }
            let range = bytes.withUnsafeBufferPointer { write($0, to: start) }
            if range.lowerBound > 0 { start.update(from: start + range.lowerBound, count: range.count) }
            count = range.count
        }
    }

    /// Writes the normalised path. `target` must have space for ``room`` more bytes than the path.
    ///
    /// - Returns: The range of the normalised path in `target`.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Range<Int> {
        // "Empty becomes `/`; a one-character string is left alone." A character is one Unicode scalar.
        if bytes.isEmpty {
            target[0] = slash
            return 0..<1
        }
        if bytes.count <= 4, bytes.count(where: { $0 & 0xC0 != 0x80 }) == 1 {
            for (index, byte) in bytes.enumerated() { target[index] = byte }
            return 0..<bytes.count
        }
        // "Collapse `**` to `*` and `//` to `/` until stable." The first byte is reserved for a slash.
        var end = 1
        var last: UInt8 = 0
        for byte in bytes {
            if byte == last, byte == slash || byte == star { continue }
            target[end] = byte
            end += 1
            last = byte
        }
        // "Note and remove one leading `*` and one trailing `*`." This does not apply to a single star that remains
        // after collapsing: `**` becomes `/*/`, so it does not match the root [REP].
        let isLong = end > 2
        let leadingStar = isLong && target[1] == star
        let trailingStar = isLong && last == star
        // "No leading `*`: ensure a leading `/`. No trailing `*`: ensure a trailing `/`. Put the stars back."
        if !trailingStar && last != slash {
            target[end] = slash
            end += 1
        }
        if leadingStar || target[1] == slash { return 1..<end }
        target[0] = slash
        return 0..<end
    }
}

/// What Apple's systems do to a path pattern and to a URL's path alike before they compare them. Fragment and query are
/// not normalised [REP].
enum PathNormalization {
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")

    /// The normalised form [individual effects OBS, procedure REP].
    static func normalized(_ bytes: [UInt8]) -> [UInt8] {
        // "Empty becomes `/`; a one-character string is left alone." One character: one Unicode scalar.
        if bytes.isEmpty { return [slash] }
        if bytes.count(where: { $0 & 0xC0 != 0x80 }) == 1 { return bytes }
        // "Collapse `**` to `*` and `//` to `/` until stable."
        var path: [UInt8] = []
        path.reserveCapacity(bytes.count + 2)
        for byte in bytes where !((byte == slash || byte == star) && path.last == byte) { path.append(byte) }
        // "Note and remove one leading `*` and one trailing `*`." Not from what is now a single star: `**` becomes
        // `/*/`, so it does not match the root [REP].
        let isLong = path.count > 1
        let leadingStar = isLong && path.first == star
        let trailingStar = isLong && path.last == star
        if leadingStar { path.removeFirst() }
        if trailingStar { path.removeLast() }
        // "No leading `*`: ensure a leading `/`. No trailing `*`: ensure a trailing `/`."
        if !leadingStar && path.first != slash { path.insert(slash, at: 0) }
        if !trailingStar && path.last != slash { path.append(slash) }
        // "Put the stars back."
        if leadingStar { path.insert(star, at: 0) }
        if trailingStar { path.append(star) }
        return path
    }
}

/// Compares entity tags with `If-None-Match` (RFC 9110 section 13.1.2).
enum EntityTags {
    /// Returns true if one of the header's values contains `tag`. The comparison is weak: a `W/` prefix is ignored.
    ///
    /// If a value has a syntax error, the rest of it is ignored. The client then gets the whole file.
    ///
    /// - Parameter tag: The tag without its quotation marks.
    static func match(_ values: [String], tag: [UInt8]) -> Bool {
        values.contains { matches($0.utf8, tag: tag) }
    }

    private static func matches(_ value: String.UTF8View, tag: [UInt8]) -> Bool {
        var rest = value[...]
        skipSeparators(&rest)
        if rest.first == UInt8(ascii: "*") { return rest.dropFirst().allSatisfy(isSpace) }
        while !rest.isEmpty {
            if rest.starts(with: "W/".utf8) { rest.removeFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else { return false }
            rest.removeFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
            if rest[..<end].elementsEqual(tag) { return true }
            rest = rest[rest.index(after: end)...].drop(while: isSpace)
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return false }
            skipSeparators(&rest)
        }
        return false
    }

    /// Empty list elements are allowed (RFC 9110 section 5.6.1).
    private static func skipSeparators(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: ",") || isSpace($0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// The host names that a manifest can contain.
///
/// The directory writer uses them as file names, so this check also rejects `/`, `..` and the empty name.
package enum HostName {
    /// The maximum length of a name in text form (RFC 1035 section 2.3.4: 255 octets on the wire).
    package static let longest = 253
    private static let longestLabel = 63

    /// Returns true if the bytes are one or more labels, joined by single periods, without a trailing period. Labels
    /// consist of `a-z`, `0-9` and inner hyphens (RFC 1123 section 2.1).
    package static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        guard !bytes.isEmpty, bytes.count <= longest else { return false }
        var labelLength = 0
        var previous = UInt8(ascii: ".")
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                labelLength += 1
            case UInt8(ascii: "-"):
                guard labelLength > 0 else { return false }
                labelLength += 1
            case UInt8(ascii: "."):
                guard labelLength > 0, previous != UInt8(ascii: "-") else { return false }
                labelLength = 0
            default:
                return false
            }
            guard labelLength <= longestLabel else { return false }
            previous = byte
        }
        return labelLength > 0 && previous != UInt8(ascii: "-")
    }

    /// Returns true if `one` sorts before `other`, byte by byte.
    package static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// The host of a request, from a `Host` header or an authority.
///
/// Only this type normalizes hosts: lower case, without a port and without one trailing period. A host that violates
/// the grammar in RFC 3986 section 3.2.2 is malformed (400). A valid host that is not published is unknown (404).
enum HostField {
    /// The maximum length in bytes, including a trailing period. A longer host is malformed.
    static let longest = 254

    /// Calls `body` with the normal form of the host in `value`. Returns `nil` if the host is malformed.
    ///
    /// It does not allocate memory, because it runs for every request.
    static func withNormalized<Result>(
        _ value: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { buffer in
            guard let length = normalize(value, into: buffer) else { return nil }
            return body(UnsafeBufferPointer(rebasing: buffer[..<length]))
        }
    }

    private static func normalize(
        _ value: some Collection<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        if value.first == UInt8(ascii: "[") { return literal(value, into: buffer) }
        var length = 0
        var rest = value.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: ":") {
                guard isPort(&rest) else { return nil }
                break
            }
            guard isNameCharacter(byte), length < longest else { return nil }
            buffer[length] = lowercased(byte)
            length += 1
        }
        if length > 1, buffer[length - 1] == UInt8(ascii: ".") { length -= 1 }
        return length > 0 ? length : nil
    }

    /// Reads `"[" IPv6address "]"`. This is a valid host, but never a published one.
    private static func literal(
        _ value: some Collection<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var length = 0
        var rest = value.makeIterator()
        while let byte = rest.next(), length < longest {
            buffer[length] = lowercased(byte)
            length += 1
            if byte == UInt8(ascii: "]") {
                guard length > 3 else { return nil }
                guard let next = rest.next() else { return length }
                return next == UInt8(ascii: ":") && isPort(&rest) ? length : nil
            }
            guard length == 1 || isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") else {
                return nil
            }
        }
        return nil
    }

    /// Reads `port = *DIGIT`. It may be empty, and has at most five digits.
    private static func isPort(_ rest: inout some IteratorProtocol<UInt8>) -> Bool {
        var count = 0
        while let byte = rest.next() {
            count += 1
            guard count <= 5, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
        }
        return true
    }

    /// `reg-name = *( unreserved / pct-encoded / sub-delims )`
    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

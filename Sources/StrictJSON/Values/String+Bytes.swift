extension String {
    /// Whether both strings have the same UTF-8 bytes. `==` would also accept canonically equivalent strings.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension Hasher {
    /// Hashes the bytes that ``String/hasSameBytes(as:)`` compares. Swift's own hash sorts combining marks first, and
    /// the time for this grows with the square of the number of marks in a row.
    mutating func combine(bytesOf text: String) {
        var text = text
        combine(text.utf8.count)
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

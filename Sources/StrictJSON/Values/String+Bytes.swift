extension String {
    /// Whether both strings have the same UTF-8 bytes. `==` would also accept canonically equivalent ones.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension Hasher {
    /// Hashes what ``String/hasSameBytes(as:)`` compares. Hashing a string as such puts its combining marks in order
    /// first, which takes time that grows with the square of how many follow each other.
    mutating func combine(bytesOf text: String) {
        var text = text
        combine(text.utf8.count)
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

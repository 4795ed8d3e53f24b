extension String {
    /// Whether both strings have the same UTF-8 bytes. `==` would also accept canonically equivalent ones.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

/// An e-mail address that can be sent to a mail server: 3 to 254 ASCII characters.
///
/// Internationalized addresses (RFC 6531) are not supported, because many servers refuse them. An international domain
/// can be given in its ASCII form (`xn--…`).
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address, such as `ada@example.com`.
    public let description: String

    /// Reads an address: the characters of RFC 5322's `dot-atom` on both sides of one `@`. Quoted local parts are not
    /// accepted. Returns `nil` for any other text, so an address cannot add a header or a command.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, parts.allSatisfy(Self.isDotAtom) else { return nil }
        description = text
    }

    private static func isDotAtom(_ part: Substring.UTF8View) -> Bool {
        part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy(atomCharacters.contains)
        }
    }

    // RFC 5322, section 3.2.3.
    private static let atomCharacters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~".utf8)
}

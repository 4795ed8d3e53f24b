public import AASA
import CLibIDN2
public import StrictJSON

extension Host {
    /// Reads a host as users type it. Unicode names are converted to ASCII (IDNA 2008, with the mapping of UTS #46, by
    /// libidn2). One trailing period is removed.
    public init(typed text: String) throws(UnusableHost) {
        try Self.checkLength(text)
        if text.contains("/") { throw UnusableHost(detail: "must be a host alone, such as www.example.com") }
        do {
            try self.init(try Self.ascii(text))
        } catch let error as InvalidHost {
            throw UnusableHost(detail: error.detail)
        } catch let error as UnusableHost {
            throw error
        } catch {
            throw UnusableHost(detail: "is not a host")
        }
    }

    /// The host with its `xn--` labels in Unicode. If a label is malformed, the host in ASCII.
    public var unicode: String { (try? Self.unicode(description)) ?? description }

    private static func unicode(_ text: String) throws(UnusableHost) -> String {
        var output: UnsafeMutablePointer<CChar>?
        let result = idn2_to_unicode_8z8z(text, &output, 0)
        guard result == IDN2_OK.rawValue, let output else { throw UnusableHost(libidn2: result) }
        defer { idn2_free(output) }
        return String(cString: output)
    }

    /// The maximum length of a typed name, in bytes. A name has at most 253 ASCII characters (RFC 1035, section 2.3.4),
    /// and each can come from four bytes of UTF-8. The limit is necessary because libidn2's time grows with the square
    /// of the length.
    static let longestTyped = 4 * 253

    private static func checkLength(_ text: String) throws(UnusableHost) {
        guard text.utf8.count > longestTyped else { return }
        throw UnusableHost(
            detail: "is too long: it has \(text.utf8.count) bytes, and a host can have at most 253 characters")
    }

    /// Converts a name, or some labels of a name, to ASCII.
    /// - Throws: `UnusableHost` with the reason.
    static func ascii(_ text: String) throws -> String {
        try checkLength(text)
        guard text.utf8.contains(where: { $0 >= 0x80 }) || text.lowercased().contains("xn--") else { return text }
        guard !text.utf8.contains(0) else { throw UnusableHost(detail: "contains a control character") }
        // An `xn--` label must decode to a name that users could type.
        let text = try unicode(text)
        var output: UnsafeMutablePointer<CChar>?
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        let result = idn2_to_ascii_8z(text, &output, flags)
        guard result == IDN2_OK.rawValue, let output else { throw UnusableHost(libidn2: result) }
        defer { idn2_free(output) }
        return String(cString: output)
    }
}

/// The error if a typed text is not a valid host.
public struct UnusableHost: JSONFaultReason, Hashable, Sendable {
    /// `invalid_host`.
    public var code: String { "invalid_host" }
    /// The error message. The name of the field precedes it.
    public let detail: String

    init(detail: String) { self.detail = detail }

    init(libidn2 result: CInt) {
        let reason = idn2_strerror(result).map { String(cString: $0) } ?? "not allowed"
        self.init(detail: "is not a valid internationalized domain name (IDNA 2008): \(reason)")
    }
}

public import AASA

/// An association file as a web server returns it: JSON, or JSON in a signed message.
public struct ServedFile: Sendable {
    /// The JSON, or any other content that the file has instead.
    public let text: [UInt8]
    /// Whether the text was in a signed message. The signature is not checked, so the signer is not known.
    public let isSigned: Bool

    /// Extracts the text of a file.
    ///
    /// - Throws: ``AASA/AssociationError/damagedSignedFile(_:)`` if a signed file has more than 1 MiB, or its content
    ///   cannot be read. The text of any other file is the file itself.
    public init(_ bytes: [UInt8]) throws(AssociationError) {
        isSigned = Association.isSigned(bytes)
        do {
            text = isSigned ? try SignedMessage(bytes).payload : bytes
        } catch {
            throw .damagedSignedFile(error.reason)
        }
    }

    /// Checks a file as ``AASA/Association/lint(_:registered:sensitive:)`` does. For a signed file it checks the
    /// content, adds a finding that the file is signed (WM004), and offers no fixes.
    public static func lint(_ bytes: [UInt8], registered: Set<AppID>? = nil) -> LintReport {
        do {
            let file = try ServedFile(bytes)
            guard file.isSigned else { return Association.lint(bytes, registered: registered) }
            return Association.lint(payload: file.text, ofSignedFile: bytes.count, registered: registered)
        } catch {
            return LintReport(of: error, size: bytes.count)
        }
    }
}

public import AASA

/// An association file in the form that a web server returns: JSON, or JSON in a signed message.
public struct ServedFile: Sendable {
    /// The JSON, or the file's other content.
    public let text: [UInt8]
    /// Whether the text was in a signed message. The signature is not checked, so the signer is unknown.
    public let isSigned: Bool

    /// Extracts the text of a file. The text of an unsigned file is the file itself.
    ///
    /// - Throws: ``AASA/AssociationError/damagedSignedFile(_:)`` if a signed file is larger than 1 MiB or its content
    ///   cannot be read.
    public init(_ bytes: [UInt8]) throws(AssociationError) {
        isSigned = Association.isSigned(bytes)
        do {
            text = isSigned ? try SignedMessage(bytes).payload : bytes
        } catch {
            throw .damagedSignedFile(error.reason)
        }
    }

    /// Checks a file like ``AASA/Association/lint(_:registered:sensitive:)``. For a signed file, checks the content,
    /// adds the finding that the file is signed (WM004), and offers no fixes.
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

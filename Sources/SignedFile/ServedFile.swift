public import AASA

/// An association file as a web server gives it: JSON, or JSON in a signed message.
public struct ServedFile: Sendable {
    /// The JSON, or whatever else the file has in its place.
    public let text: [UInt8]
    /// Whether the text was in a signed message. The signature is not checked: nothing is said about who signed it.
    public let isSigned: Bool

    /// Takes the text out of a file.
    ///
    /// - Throws: ``AASA/AssociationError/damagedSignedFile(_:)`` for a signed file of more than 1 MiB, or one without a
    ///   readable content. Any other file is taken as it is.
    public init(_ bytes: [UInt8]) throws(AssociationError) {
        isSigned = Association.isSigned(bytes)
        do {
            text = isSigned ? try SignedMessage(bytes).payload : bytes
        } catch {
            throw .damagedSignedFile(error.reason)
        }
    }

    /// Examines a file as ``AASA/Association/lint(_:registered:sensitive:)`` does; of a signed one what is inside, with
    /// a finding (WM004) that says so. Its findings have no fixes.
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

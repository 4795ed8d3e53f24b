import AASA
import SignedFile

/// The error for a file on the command line that is not an association file.
struct UnreadableAssociation: Error {
    /// The error message: the file name, the problem and the remedy.
    let complaint: String
}

extension InputFile {
    /// Reads an association file, signed or unsigned. Returns the bytes of its JSON text, and the association.
    ///
    /// - Throws: ``UnreadableAssociation`` with the messages of `lint`; `Refusal` if the file cannot be read.
    static func association(_ path: String) throws -> (bytes: [UInt8], association: Association) {
        var bytes = try read(path)
        do {
            bytes = try ServedFile(bytes).text
            return (bytes, try Association(parsing: bytes))
        } catch {
            throw UnreadableAssociation(complaint: "\(path): \(TerminalText.shown(error.advice(on: bytes)))")
        }
    }
}

import AASA
import SignedFile

/// Why a file on the command line is not an association file.
struct UnreadableAssociation: Error {
    /// The file name, what is wrong, and what to do.
    let complaint: String
}

extension InputFile {
    /// Reads an association file, signed or unsigned. The bytes are those of its text.
    ///
    /// - Throws: ``UnreadableAssociation`` with the messages of lint; `Refusal` if the file does not exist.
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

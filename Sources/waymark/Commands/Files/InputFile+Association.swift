import AASA
import SignedFile

/// Why a file named on the command line is no association file.
struct UnreadableAssociation: Error {
    /// The file's name, what is wrong, and what to do.
    let complaint: String
}

extension InputFile {
    /// Reads an association file, signed or not. The bytes are those of its text.
    ///
    /// - Throws: ``UnreadableAssociation`` with the sentences of lint; `Refusal` if there is no such file.
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

import AASA

/// Rewrites a file with the fixes that change no outcome.
enum LintFixing {
    /// One fix can make room for another; files made for people need two or three rounds.
    private static let rounds = 20

    /// Applies what can be applied and replaces the file.
    ///
    /// - Returns: How many fixes were applied; with none, the file is not touched.
    /// - Throws: ``Refusal`` for what is no regular file or cannot be read or written.
    static func mend(_ path: String) throws -> Int {
        let file = try FileReplacement(path)
        var bytes = try InputFile.read(path)
        var count = 0
        for _ in 0..<rounds {
            let fixes = Association.lint(bytes).findings.compactMap(\.fix).filter(\.keepsOutcomes)
            let (text, applied) = Fix.apply(fixes, to: bytes)
            if applied == 0 { break }
            bytes = text
            count += applied
        }
        if count > 0 {
            do {
                try file.write(bytes)
            } catch {
                throw Refusal("\(path) cannot be written: \(error)")
            }
        }
        return count
    }
}

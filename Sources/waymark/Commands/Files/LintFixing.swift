import AASA

/// Applies to a file all fixes that do not change outcomes.
enum LintFixing {
    /// The maximum number of rounds. A fix can make another one possible. Typical files need two or three rounds.
    private static let rounds = 20

    /// Applies the fixes and replaces the file.
    ///
    /// - Returns: The number of applied fixes. If it is 0, the file is unchanged.
    /// - Throws: ``Refusal`` if the file is not regular, or cannot be read or written.
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

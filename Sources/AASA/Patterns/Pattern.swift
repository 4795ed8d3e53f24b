/// A compiled pattern: what `/`, `?` and `#` of a rule say, ready to be compared.
struct Pattern: Sendable {
    /// The steps, a number for each; see ``StepCode``.
    let code: [UInt32]
    /// The variables that the code speaks of, by their places here.
    let variables: [Variable]
    /// Whether it can never match, see ``PatternDefect``.
    let isDefective: Bool

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern, normalised if it is a path's.
    ///   - caseSensitive: Whether letters are compared as they are.
    ///   - table: What `$(…)` stands for; nil where the system does not know variables yet: then it is literal text
    ///     (before iOS 13.5).
    init(_ text: [UInt8], caseSensitive: Bool, variables table: VariableTable?) {
        var code: [UInt32] = []
        var variables: [Variable] = []
        var isDefective = false
        code.reserveCapacity(text.count)
        for piece in PatternPieces(of: text, knowsVariables: table != nil) {
            switch piece {
            case .literal(let bytes):
                for byte in caseSensitive ? bytes : CaseFolding.folded(Array(bytes))[...] { code.append(UInt32(byte)) }
            case .one, .backslash: code.append(StepCode.one)
            case .run: code.append(StepCode.run)
            case .variable(let name):
                guard let variable = table?.variable(Array(name), caseSensitive: caseSensitive) else {
                    isDefective = true
                    continue
                }
                let kind = variable.isCharacter ? StepCode.character : StepCode.variable
                code.append(kind | UInt32(truncatingIfNeeded: variables.count))
                variables.append(variable)
            case .unterminatedVariable: isDefective = true
            }
        }
        self.code = code
        self.variables = variables
        self.isDefective = isDefective
    }

    /// Whether every text matches: nothing but a star.
    var matchesEverything: Bool { !isDefective && code == [StepCode.run] }

    /// Whether this is `/*`.
    var isSlashAndAnything: Bool { !isDefective && code == [UInt32(UInt8(ascii: "/")), StepCode.run] }

    /// Whether the whole text matches: "anchored on both ends" [OBS].
    func matches(_ text: ComparedText, _ budget: inout MatchBudget) -> Bool {
        guard !isDefective, !budget.isExhausted else { return false }
        return text.matches(self, &budget)
    }
}

/// How the steps of a pattern are written as numbers, so that they lie close together: 0 to 255 are bytes.
enum StepCode {
    /// `?`.
    static let one: UInt32 = 0x100
    /// `*`.
    static let run: UInt32 = 0x101
    /// A variable all of whose values are one ASCII character.
    static let character: UInt32 = 0x1000_0000
    /// Any other variable.
    static let variable: UInt32 = 0x2000_0000

    /// The place of a variable's code in ``Pattern/variables``.
    static func place(_ code: UInt32) -> UInt32 { code & 0x0FFF_FFFF }
}

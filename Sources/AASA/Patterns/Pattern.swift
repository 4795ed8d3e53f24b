/// A compiled pattern of `/`, `?` or `#`, for fast comparison.
struct Pattern: Sendable {
    /// The steps, one number each. See ``StepCode``.
    let code: [UInt32]
    /// The variables in the code. The code contains their indices.
    let variables: [Variable]
    /// Whether the pattern can never match. See ``PatternDefect``.
    let isDefective: Bool

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern. A path pattern must be normalised.
    ///   - caseSensitive: Whether matching is case-sensitive.
    ///   - table: The variables, or `nil` if the system does not support them (before iOS 13.5). If `nil`, `$(…)` is
    ///     literal text.
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

    /// Whether the whole text matches: "anchored on both ends" [OBS].
    func matches(_ text: ComparedText, _ budget: inout MatchBudget) -> Bool {
        guard !isDefective, !budget.isExhausted else { return false }
        return text.matches(self, &budget)
    }
}

/// The steps of a pattern as numbers, for compact storage. The numbers 0 to 255 are bytes.
enum StepCode {
    /// `?`.
    static let one: UInt32 = 0x100
    /// `*`.
    static let run: UInt32 = 0x101
    /// A variable with only one-character ASCII values.
    static let character: UInt32 = 0x1000_0000
    /// Any other variable.
    static let variable: UInt32 = 0x2000_0000

    /// The index in ``Pattern/variables`` of a variable's code.
    static func place(_ code: UInt32) -> UInt32 { code & 0x0FFF_FFFF }
}

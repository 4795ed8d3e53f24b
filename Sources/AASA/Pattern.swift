/// A compiled pattern: what `/`, `?` and `#` of a rule say, ready to be compared.
struct Pattern: Sendable {
    /// One step.
    enum Step: Sendable {
        /// This very byte.
        case byte(UInt8)
        /// `?`: "exactly one character", a slash too: one Unicode scalar of the compared text [DOC]/[REP].
        case one
        /// `*`: "zero or more characters", slashes too; runs collapse [DOC]/[OBS].
        case run
        /// `$(name)`: one of the variable's values.
        case variable(Variable)
    }

    /// Why a pattern can never match.
    enum Defect: Hashable, Sendable {
        /// `$(name)` with a name that neither the file nor Apple defines.
        case undefinedVariable(String)
        /// `$(` without `)`.
        case unterminatedVariable
    }

    /// The steps, a number for each; see ``StepCode``.
    let code: [UInt32]
    /// The variables that the code speaks of, by their places here.
    let variables: [Variable]
    /// "Undefined name: the component never matches; missing `)`: never matches" [REP].
    let defect: Defect?

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern, normalised if it is a path's.
    ///   - caseSensitive: Whether letters are compared as they are.
    ///   - variables: What `$(…)` stands for; nil where the system does not know variables yet: then it is literal
    ///     text (before iOS 13.5).
    init(_ text: [UInt8], caseSensitive: Bool, variables: VariableTable?) {
        var compiler = PatternCompiler(text: text, caseSensitive: caseSensitive, table: variables)
        compiler.compile()
        code = compiler.code
        self.variables = compiler.variables
        defect = compiler.defect
    }

    /// The steps.
    var steps: [Step] {
        code.map { code in
            switch code {
            case StepCode.one: .one
            case StepCode.run: .run
            case ..<StepCode.one: .byte(UInt8(truncatingIfNeeded: code))
            default: .variable(variables[Int(StepCode.place(code))])
            }
        }
    }

    var hasVariables: Bool { !variables.isEmpty }

    /// Whether every text matches: nothing but a star.
    var matchesEverything: Bool { defect == nil && code == [StepCode.run] }

    /// Whether the whole text matches: "anchored on both ends" [OBS].
    func matches(_ text: ComparedText, _ budget: inout MatchBudget) -> Bool {
        guard defect == nil, !budget.isExhausted else { return false }
        return text.matches(self, &budget)
    }
}

/// How the steps of a pattern are written as numbers, so that they lie close together: 0 to 255 are bytes.
enum StepCode {
    static let one: UInt32 = 0x100
    static let run: UInt32 = 0x101
    /// A variable all of whose values are one ASCII character.
    static let character: UInt32 = 0x1000_0000
    /// Any other variable.
    static let variable: UInt32 = 0x2000_0000

    /// The place of a variable's code in ``Pattern/variables``.
    static func place(_ code: UInt32) -> UInt32 { code & 0x0FFF_FFFF }
}

private struct PatternCompiler {
    let text: [UInt8]
    let caseSensitive: Bool
    let table: VariableTable?

    var code: [UInt32] = []
    var variables: [Variable] = []
    var defect: Pattern.Defect?

    /// Where in the text the literal begins that is being read.
    private var literalStart = 0
    private var index = 0

    init(text: [UInt8], caseSensitive: Bool, table: VariableTable?) {
        self.text = text
        self.caseSensitive = caseSensitive
        self.table = table
        code.reserveCapacity(text.count)
    }

    mutating func compile() {
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "*"):
                endLiteral(andSkip: 1)
                if code.last != StepCode.run { code.append(StepCode.run) }
            case UInt8(ascii: "?"):
                endLiteral(andSkip: 1)
                code.append(StepCode.one)
            case UInt8(ascii: "\\"):
                // "Backslash: accepts any one character and skips the next pattern character" [REP].
                endLiteral(andSkip: 1)
                code.append(StepCode.one)
                skipScalar()
            case UInt8(ascii: "$"):
                // "`$` without `(` is literal" [REP].
                guard let table, index + 1 < text.count, text[index + 1] == UInt8(ascii: "(") else { fallthrough }
                endLiteral(andSkip: 2)
                addVariable(table)
            default:
                index += 1
            }
        }
        endLiteral(andSkip: 0)
    }

    /// "Names: case-sensitive, any characters but `$ ( )`" [DOC]; the index is behind `$(`.
    private mutating func addVariable(_ table: VariableTable) {
        defer { literalStart = index }
        guard let end = text[index...].firstIndex(of: UInt8(ascii: ")")) else {
            defect = defect ?? .unterminatedVariable
            index = text.count
            return
        }
        let name = Array(text[index..<end])
        index = end + 1
        guard let variable = table.variable(name, caseSensitive: caseSensitive) else {
            defect = defect ?? .undefinedVariable(String(decoding: name, as: UTF8.self))
            return
        }
        let kind = variable.isCharacter ? StepCode.character : StepCode.variable
        code.append(kind | UInt32(truncatingIfNeeded: variables.count))
        variables.append(variable)
    }

    private mutating func endLiteral(andSkip skipped: Int) {
        let literal = text[literalStart..<index]
        if caseSensitive {
            for byte in literal { code.append(UInt32(byte)) }
        } else {
            for byte in CaseFolding.folded(Array(literal)) { code.append(UInt32(byte)) }
        }
        index += skipped
        literalStart = index
    }

    private mutating func skipScalar() {
        defer { literalStart = index }
        guard index < text.count else { return }
        repeat { index += 1 } while index < text.count && text[index] & 0xC0 == 0x80
    }
}

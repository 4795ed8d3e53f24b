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

    let steps: [Step]
    /// "Undefined name: the component never matches; missing `)`: never matches" [REP].
    let defect: Defect?
    let hasVariables: Bool

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern, normalised if it is a path's.
    ///   - caseSensitive: Whether letters are compared as they are.
    ///   - variables: What `$(…)` stands for; nil where the system does not know variables yet: then it is literal
    ///     text (before iOS 13.5).
    init(_ text: [UInt8], caseSensitive: Bool, variables: VariableTable?) {
        var compiler = PatternCompiler(text: text, caseSensitive: caseSensitive, variables: variables)
        compiler.compile()
        steps = compiler.steps
        defect = compiler.defect
        hasVariables = compiler.hasVariables
    }

    /// Whether every text matches: nothing but a star.
    var matchesEverything: Bool {
        if defect == nil, steps.count == 1, case .run = steps[0] { true } else { false }
    }
}

private struct PatternCompiler {
    let text: [UInt8]
    let caseSensitive: Bool
    let variables: VariableTable?

    var steps: [Pattern.Step] = []
    var defect: Pattern.Defect?
    var hasVariables = false

    private var literal: [UInt8] = []
    private var index = 0

    init(text: [UInt8], caseSensitive: Bool, variables: VariableTable?) {
        self.text = text
        self.caseSensitive = caseSensitive
        self.variables = variables
    }

    mutating func compile() {
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "*"):
                endLiteral()
                if case .run? = steps.last { continue }
                steps.append(.run)
            case UInt8(ascii: "?"):
                endLiteral()
                steps.append(.one)
            case UInt8(ascii: "\\"):
                // "Backslash: accepts any one character and skips the next pattern character" [REP].
                endLiteral()
                steps.append(.one)
                skipScalar()
            case UInt8(ascii: "$"):
                // "`$` without `(` is literal" [REP].
                guard let variables, index < text.count, text[index] == UInt8(ascii: "(") else { fallthrough }
                index += 1
                addVariable(variables)
            default:
                literal.append(byte)
            }
        }
        endLiteral()
    }

    /// "Names: case-sensitive, any characters but `$ ( )`" [DOC]; the index is behind `$(`.
    private mutating func addVariable(_ variables: VariableTable) {
        endLiteral()
        guard let end = text[index...].firstIndex(of: UInt8(ascii: ")")) else {
            defect = defect ?? .unterminatedVariable
            index = text.count
            return
        }
        let name = Array(text[index..<end])
        index = end + 1
        guard let variable = variables.variable(name, caseSensitive: caseSensitive) else {
            defect = defect ?? .undefinedVariable(String(decoding: name, as: UTF8.self))
            return
        }
        hasVariables = true
        steps.append(.variable(variable))
    }

    private mutating func endLiteral() {
        let bytes = caseSensitive ? literal : CaseFolding.folded(literal)
        steps += bytes.map { .byte($0) }
        literal.removeAll()
    }

    private mutating func skipScalar() {
        guard index < text.count else { return }
        repeat { index += 1 } while index < text.count && text[index] & 0xC0 == 0x80
    }
}

/// A pattern in the form that lint uses to compare patterns and to find matching texts.
final class PatternShape {
    /// One step of the pattern.
    enum Token: Equatable {
        /// The character itself.
        case character(UInt32)
        /// `?`, see ``PatternPiece/one``.
        case one
        /// `*`, see ``PatternPiece/run``.
        case run
        /// `$(name)`, by the variable's number.
        case variable(Int)

        var isCharacter: Bool { if case .character = self { true } else { false } }
    }

    /// The steps. If the pattern ignores letter case, letters are folded.
    let tokens: [Token]
    /// Whether letter case is ignored.
    let isFolded: Bool
    let defect: PatternDefect?
    /// Whether the pattern has a backslash. Its effect is known only from reports.
    let hasBackslash: Bool
    /// The variables in the pattern, one for each occurrence.
    let variables: [VariableShape]
    /// The number of literal characters at the beginning.
    let literalCount: Int
    /// The minimum number of characters of a matching text.
    let minimumLength: Int
    /// Whether every text matches.
    let matchesEverything: Bool
    let table: VariableShapes
    /// The literal characters at the end of every matching text, the last one first, in lower case.
    let literalEnd: [UInt32]
    /// The literal characters as a bit set, in lower case.
    let literalBits: UInt64
    /// The steps with each variable replaced by one of its values. `nil` if a variable has no usable value.
    lazy var spelledOut = spellOut()

    /// Reads a pattern. Path patterns must be normalised first.
    init(_ text: [UInt8], isFolded: Bool, variables table: VariableShapes) {
        let steps = Steps(PatternPieces(of: text, knowsVariables: true), isFolded: isFolded, table)
        let tokens = steps.tokens
        self.tokens = tokens
        self.table = table
        matchesEverything = steps.defect == nil && !steps.hasBackslash && tokens == [.run]
        defect = steps.defect
        hasBackslash = steps.hasBackslash
        variables = steps.variables
        self.isFolded = isFolded
        var bits: UInt64 = 0
        for case .character(let scalar) in tokens { bits |= 1 << UInt64(Self.folded(scalar) & 63) }
        literalBits = bits
        var end: [UInt32] = []
        for case .character(let scalar) in tokens.reversed().prefix(while: \.isCharacter) {
            end.append(Self.folded(scalar))
        }
        literalEnd = end
        literalCount = tokens.firstIndex { if case .character = $0 { false } else { true } } ?? tokens.count
        minimumLength = tokens.reduce(0) { length, token in
            switch token {
            case .character, .one: length + 1
            case .run: length
            case .variable(let number): length + (table.all[number].isOneCharacter ? 1 : 0)
            }
        }
    }

    /// Whether this is `/*`, which every normalised path matches.
    var isSlashAndAnything: Bool {
        defect == nil && !hasBackslash && tokens == [.character(0x2F), .run]
    }

    /// The pieces of a pattern as steps.
    private struct Steps {
        var tokens: [Token] = []
        var defect: PatternDefect?
        var hasBackslash = false
        var variables: [VariableShape] = []

        init(_ pieces: PatternPieces, isFolded: Bool, _ table: VariableShapes) {
            tokens.reserveCapacity(pieces.text.count)
            for piece in pieces {
                switch piece {
                case .literal(let bytes):
                    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                        tokens.append(.character(isFolded ? PatternShape.folded(scalar.value) : scalar.value))
                    }
                case .one: tokens.append(.one)
                case .run: tokens.append(.run)
                case .backslash:
                    hasBackslash = true
                    tokens.append(.one)
                case .variable(let name):
                    guard let number = table.number(of: Array(name)) else {
                        defect = defect ?? .undefinedVariable(String(decoding: name, as: UTF8.self))
                        continue
                    }
                    variables.append(table.all[number])
                    tokens.append(.variable(number))
                case .unterminatedVariable: defect = defect ?? .unterminatedVariable
                }
            }
        }
    }

    /// The folded form of a letter, for comparison without letter case.
    static func folded(_ scalar: UInt32) -> UInt32 {
        if scalar < 0x80 { return (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar }
        return Unicode.Scalar(scalar).map { CaseFolding.folded($0).value } ?? scalar
    }

    /// The text of scalars.
    static func text(_ scalars: some Sequence<UInt32>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
        return String(view)
    }
}

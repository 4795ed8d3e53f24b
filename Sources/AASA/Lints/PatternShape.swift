/// A pattern as lint reasons about it: which patterns it covers, which texts it matches.
final class PatternShape {
    /// One step.
    enum Token: Equatable {
        /// This very character.
        case character(UInt32)
        /// `?`: "exactly one character" [DOC]/[OBS].
        case one
        /// `*`: "zero or more characters; runs collapse" [DOC]/[OBS].
        case run
        /// `$(name)`, by the variable's number.
        case variable(Int)

        var isCharacter: Bool { if case .character = self { true } else { false } }
    }

    /// Why the pattern can never match: "undefined name: the component never matches; missing `)`: never" [REP].
    enum Defect {
        case undefinedVariable(String)
        case unterminatedVariable
    }

    /// The steps; letters are folded where the pattern ignores letter case.
    let tokens: [Token]
    /// Whether letter case is ignored.
    let isFolded: Bool
    let defect: Defect?
    /// Whether it has a backslash, of which it is only reported what it does.
    let hasBackslash: Bool
    /// The variables it uses, one for each occurrence.
    let variables: [VariableShape]
    /// So many characters at the beginning stand for themselves.
    let literalCount: Int
    /// The fewest characters that a matching text can have.
    let minimumLength: Int
    /// Whether every text matches.
    let matchesEverything: Bool
    let table: VariableShapes
    /// The characters that every matching text ends with, the last one first, in lower case.
    let literalEnd: [UInt32]
    /// The characters that stand for themselves, as a set of bits; in lower case.
    let literalBits: UInt64
    /// The steps with a value in place of each variable; nil if there is none to take.
    lazy var spelledOut = spellOut()

    /// Reads a pattern, a path's after it has been normalised.
    init(_ text: [UInt8], isFolded: Bool, variables table: VariableShapes) {
        var reader = Reader(
            scalars: String(decoding: text, as: UTF8.self).unicodeScalars.map(\.value), isFolded: isFolded)
        reader.read(table)
        let tokens = reader.tokens
        self.tokens = tokens
        self.table = table
        matchesEverything = reader.defect == nil && !reader.hasBackslash && tokens == [.run]
        defect = reader.defect
        hasBackslash = reader.hasBackslash
        variables = reader.variables
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

    private struct Reader {
        let scalars: [UInt32]
        let isFolded: Bool
        var tokens: [Token] = []
        var defect: Defect?
        var hasBackslash = false
        var variables: [VariableShape] = []

        private var index = 0

        init(scalars: [UInt32], isFolded: Bool) {
            self.scalars = scalars
            self.isFolded = isFolded
            tokens.reserveCapacity(scalars.count)
        }

        mutating func read(_ table: VariableShapes) {
            while index < scalars.count {
                let scalar = scalars[index]
                index += 1
                switch scalar {
                case 0x2A:
                    if case .run? = tokens.last { continue }
                    tokens.append(.run)
                case 0x3F: tokens.append(.one)
                case 0x5C:
                    // "Backslash: accepts any one character and skips the next pattern character" [REP].
                    hasBackslash = true
                    tokens.append(.one)
                    index += 1
                case 0x24 where index < scalars.count && scalars[index] == 0x28:
                    index += 1
                    readVariable(table)
                default: tokens.append(.character(isFolded ? PatternShape.folded(scalar) : scalar))
                }
            }
        }

        /// "Names: any characters but `$ ( )`" [DOC]; the index is behind `$(`.
        private mutating func readVariable(_ table: VariableShapes) {
            guard let end = scalars[index...].firstIndex(of: 0x29) else {
                defect = defect ?? .unterminatedVariable
                index = scalars.count
                return
            }
            let name = PatternShape.text(scalars[index..<end])
            index = end + 1
            guard let number = table.number(of: Array(name.utf8)) else {
                defect = defect ?? .undefinedVariable(name)
                return
            }
            variables.append(table.all[number])
            tokens.append(.variable(number))
        }
    }

    /// A letter in the form in which it is compared where letter case is ignored.
    static func folded(_ scalar: UInt32) -> UInt32 {
        if scalar < 0x80 { return (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar }
        let bytes = CaseFolding.folded(Array(text([scalar]).utf8))
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first?.value ?? scalar
    }

    /// The text of scalars.
    static func text(_ scalars: some Sequence<UInt32>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
        return String(view)
    }
}

/// Generates URLs for one rule from its patterns.
struct RuleSampler {
    /// The texts that replace wildcards and variables.
    struct Filling {
        var run: String
        var one: String
        var usesLastValue = false
        /// A value for one variable.
        var chosen: (name: [UInt8], value: [UInt8])?

        static let short = Filling(run: "x", one: "q")
        static let other = Filling(run: "7y", one: "5", usesLastValue: true)
        static let empty = Filling(run: "", one: "q")
        static let deep = Filling(run: "x/y", one: "q")
    }

    private enum Query {
        case any
        case whole([PatternPiece])
        case items([(name: [UInt8], pattern: [PatternPiece])])
    }

    let isCaseSensitive: Bool
    let isPercentEncoded: Bool
    /// The names of the variables in the rule.
    let variableNames: Set<[UInt8]>

    private let path: [PatternPiece]?
    private let query: Query
    private let fragment: [PatternPiece]?
    private let variables: VariableValues

    init(_ reading: ComponentReading, _ variables: VariableValues, os system: SystemVersion) {
        func pieces(_ text: String) -> [PatternPiece] {
            Array(PatternPieces(of: Array(text.utf8), knowsVariables: system >= .ios13point5))
        }
        let all = reading.patternTexts.flatMap(pieces)
        variableNames = Set(all.compactMap { if case .variable(let name) = $0 { Array(name) } else { nil } })
        path = reading.path.map(pieces)
        fragment = reading.fragment.map(pieces)
        query =
            switch reading.query {
            case .any: .any
            case .whole(let text): .whole(pieces(text))
            case .items(let items): .items(items.map { (Array($0.name.utf8), pieces($0.pattern)) })
            }
        isCaseSensitive = reading.caseSensitive
        isPercentEncoded = reading.percentEncoded
        self.variables = variables
    }

    /// A URL with every wildcard and variable of the path, the query and the fragment replaced by text.
    func url(_ filling: Filling) -> URLText {
        URLText(
            path: path.map { filled($0, .path, filling) } ?? Array("/\(filling.run)".utf8),
            query: filledQuery(filling), fragment: fragment.map { filled($0, .fragment, filling) })
    }

    /// URLs that differ in one detail from a matching URL.
    var nearMisses: [URLText] {
        let match = url(.short)
        var result: [URLText] = []
        func add(_ change: (inout URLText) -> Void) {
            var url = match
            change(&url)
            result.append(url)
        }
        if let path {
            add { $0.path.append(UInt8(ascii: "z")) }
            let head = headText(path)
            // For `/buy/*`: `/buyz` and `/bu`.
            if !head.isEmpty, head.count < match.path.count {
                add { $0.path = head + [UInt8(ascii: "z")] }
                add { $0.path = head.dropLast() }
            }
        }
        switch query {
        case .any: add { $0.query = Array("x=y".utf8) }
        case .whole: add { $0.query = ($0.query ?? []) + Array("&z=1".utf8) }
        case .items: add { $0.query = ($0.query ?? []) + Array("z".utf8) }
        }
        if match.query != nil { add { $0.query = nil } }
        if match.fragment != nil {
            add { $0.fragment = nil }
            add { $0.fragment?.append(UInt8(ascii: "z")) }
        }
        return result
    }

    /// Other spellings of a matching URL: with the letter case swapped, and with a percent-encoded letter.
    var spellings: [URLText] {
        let match = url(.short)
        var swapped = match
        swapped.path = URLText.withCaseSwapped(match.path)
        var escaped = match
        escaped.path = URLText.withLetterEscaped(match.path) ?? match.path
        var rest = match
        rest.query = match.query.map(URLText.withCaseSwapped)
        rest.fragment = match.fragment.map(URLText.withCaseSwapped)
        return [swapped, escaped, rest]
    }

    /// A URL that probably matches both this rule and another rule. It has the beginning of this rule's path, the end
    /// of the other's, and the query and fragment that both require. `nil` if the paths cannot be combined.
    func crossing(_ other: RuleSampler) -> URLText? {
        var url = path == nil ? other.url(.short) : self.url(.short)
        if let path, let otherPath = other.path {
            guard let end = path.lastIndex(of: .run), let start = otherPath.firstIndex(of: .run) else { return nil }
            let ending = filled(Array(otherPath[(start + 1)...]), .path, .short)
            url.path = filled(Array(path[...end]), .path, .short) + ending
        }
        let (mine, others) = (self.url(.short), other.url(.short))
        url.query = mine.query ?? others.query
        if case .items = query, case .items = other.query, let first = mine.query, let second = others.query {
            url.query = first + [UInt8(ascii: "&")] + second
        }
        url.fragment = mine.fragment ?? others.fragment
        return url
    }

    /// The literal text at the start of a path, without its last slash.
    private func headText(_ path: [PatternPiece]) -> [UInt8] {
        guard case .literal(let bytes)? = path.first else { return [] }
        let head = bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes[...]
        return URLText.encoded(Array(head), .path, isDecoded: !isPercentEncoded)
    }

    private func filledQuery(_ filling: Filling) -> [UInt8]? {
        switch query {
        case .any: return nil
        case .whole(let pieces): return filled(pieces, .query, filling)
        case .items(let items):
            if items.isEmpty { return nil }
            let texts = items.map { item in
                URLText.encoded(item.name, .itemName, isDecoded: !isPercentEncoded) + [UInt8(ascii: "=")]
                    + filled(item.pattern, .itemValue, filling)
            }
            return Array(texts.joined(separator: [UInt8(ascii: "&")]))
        }
    }

    private func filled(_ pieces: [PatternPiece], _ place: URLText.Place, _ filling: Filling) -> [UInt8] {
        URLText.encoded(filled(pieces, filling), place, isDecoded: !isPercentEncoded)
    }

    /// Replaces wildcards and variables by text. The result is cut soon after the maximum length of a URL. Otherwise a
    /// few variables with long values and many uses could produce gigabytes.
    private func filled(_ pieces: some Sequence<PatternPiece>, _ filling: Filling) -> [UInt8] {
        var result: [UInt8] = []
        for piece in pieces where result.count <= SampleURL.maximumLength {
            switch piece {
            case .literal(let bytes): result += bytes
            case .one, .backslash: result += filling.one.utf8
            case .run: result += filling.run.utf8
            case .variable(let name): result += value(of: Array(name), filling)
            case .unterminatedVariable: break
            }
        }
        return result
    }

    /// "Values may hold `*` and `?`" [OBS], "not other variables" [DOC].
    private func value(of name: [UInt8], _ filling: Filling) -> [UInt8] {
        var value: [UInt8]?
        if let chosen = filling.chosen, chosen.name == name {
            value = chosen.value
        } else if let examples = variables.examples(of: name) {
            value = filling.usesLastValue ? examples.last : examples.first
        }
        // A pattern with an undefined variable never matches. With the variable's name as its value, the URL probably
        // shows what the author intended.
        return filled(PatternPieces(of: value ?? name, knowsVariables: false), filling)
    }
}

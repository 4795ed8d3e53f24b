import StrictJSON

@testable import AASA

/// A slow reference implementation for the latest systems. It tries every rule in order and follows the definitions. It
/// shares with the engine only the reading of a file (`RuleReading`), not the preparation of URLs or the matching.
struct NaiveEvaluation {
    private let variables: [String: [String]]

    /// The outcome and the deciding place for each app, in the form of `Evaluation`.
    static func verdicts(_ association: Association, _ url: String) -> [Evaluation.AppVerdict] {
        let naive = NaiveEvaluation(association)
        var verdicts: [Evaluation.AppVerdict] = []
        for entry in association.entries(os: .latest) {
            let rules = RuleReading.rules(
                of: entry, fileDefaults: association.defaults(os: .latest), os: .latest)
            let decisive = rules?.first { naive.matches($0.component, url) }
            let outcome: Evaluation.Outcome =
                rules == nil ? .opens : decisive.map { $0.component.excludes ? .excluded : .opens } ?? .none
            for app in entry.apps.map(\.normalized) where !verdicts.contains(where: { $0.app == app }) {
                verdicts.append(
                    Evaluation.AppVerdict(
                        app: app, outcome: outcome, decidedBy: rules == nil ? entry.pointer : decisive?.pointer))
            }
        }
        return verdicts
    }

    private init(_ association: Association) {
        var variables: [String: [String]] = [:]
        for member in association.applinks?["substitutionVariables"]?.object?.members ?? [] {
            variables[member.name] = member.value.array?.compactMap(\.string) ?? []
        }
        self.variables = variables
    }

    private func matches(_ component: ComponentReading, _ url: String) -> Bool {
        // The URL is `https://host` with path, query and fragment; none of their characters needs an escape.
        let withoutHost = url.dropFirst("https://".count).drop { !"/?#".contains($0) }
        let fragment = withoutHost.firstIndex(of: "#").map { String(withoutHost[$0...].dropFirst()) }
        let rest = withoutHost.prefix { $0 != "#" }
        let query = rest.firstIndex(of: "?").map { String(rest[$0...].dropFirst()) }
        let path = String(rest.prefix { $0 != "?" })
        func text(_ part: String) -> String { component.percentEncoded ? part : Self.decoded(part) }
        func matches(_ pattern: String, _ text: String) -> Bool { self.matches(pattern, text, component.caseSensitive) }
        if let pattern = component.path,
            !matches(Self.normalized(pattern), Self.normalized(text(path)))
        {
            return false
        }
        if let pattern = component.fragment, !matches(pattern, text(fragment ?? "")) { return false }
        switch component.query {
        case .any: return true
        case .whole(let pattern): return matches(pattern, text(query ?? ""))
        case .items(let wanted):
            let items = (query ?? "").split(separator: "&", omittingEmptySubsequences: false).map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (name: text(parts[0]), value: text(parts.count > 1 ? parts[1] : ""))
            }
            return wanted.allSatisfy { name, pattern in
                let values = items.filter { $0.name == name && query != nil && query != "" }.map(\.value)
                return (values.isEmpty ? [""] : values).allSatisfy { matches(pattern, $0) }
            }
        }
    }

    /// Decodes escapes of ASCII characters; the tests' URLs have no others.
    private static func decoded(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let first = rest.popFirst() {
            if first == "%", let value = UInt8(rest.prefix(2), radix: 16) {
                result.unicodeScalars.append(Unicode.Scalar(value))
                rest = rest.dropFirst(2)
            } else {
                result.append(first)
            }
        }
        return result
    }

    private static func normalized(_ path: String) -> String {
        if path.isEmpty { return "/" }
        if path.count == 1 { return path }
        var short = path
        while let double = short.firstRange(of: "//") ?? short.firstRange(of: "**") {
            short.replaceSubrange(double, with: short[double].prefix(1))
        }
        let stars = short.count == 1 ? (false, false) : (short.hasPrefix("*"), short.hasSuffix("*"))
        if stars.0 { short.removeFirst() }
        if stars.1 { short.removeLast() }
        if !stars.0, !short.hasPrefix("/") { short = "/" + short }
        if !stars.1, !short.hasSuffix("/") { short += "/" }
        return (stars.0 ? "*" : "") + short + (stars.1 ? "*" : "")
    }

    private func matches(_ pattern: String, _ text: String, _ caseSensitive: Bool) -> Bool {
        let tokens = caseSensitive ? self.tokens(pattern) : self.tokens(pattern).map(\.lowercased)
        guard let tokens = Self.all(tokens) else { return false }
        return Self.matches(tokens[...], Array((caseSensitive ? text : text.lowercased()).utf8)[...])
    }

    private enum Token {
        case byte(UInt8), one, run, choice([[Token]]), undefined

        var lowercased: Token {
            switch self {
            case .byte(let byte) where (0x41...0x5A).contains(byte): .byte(byte + 0x20)
            case .choice(let values): .choice(values.map { $0.map(\.lowercased) })
            default: self
            }
        }
    }

    /// Nil if a variable is undefined.
    private static func all(_ tokens: [Token]) -> [Token]? {
        tokens.contains { if case .undefined = $0 { true } else { false } } ? nil : tokens
    }

    private func tokens(_ pattern: String) -> [Token] {
        var tokens: [Token] = []
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): tokens.append(.run)
            case UInt8(ascii: "?"): tokens.append(.one)
            case UInt8(ascii: "$") where rest.first == UInt8(ascii: "("):
                guard let end = rest.firstIndex(of: UInt8(ascii: ")")) else { return tokens + [.undefined] }
                let name = String(decoding: rest[rest.startIndex + 1..<end], as: UTF8.self)
                rest = rest[(end + 1)...]
                let values = variables[name] ?? (name == "digit" ? (0...9).map(String.init) : nil)
                tokens.append(values.map { .choice($0.map { tokensOfValue($0) }) } ?? .undefined)
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }

    private func tokensOfValue(_ value: String) -> [Token] {
        value.utf8.map { $0 == UInt8(ascii: "*") ? .run : $0 == UInt8(ascii: "?") ? .one : .byte($0) }
    }

    private static func matches(_ tokens: ArraySlice<Token>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = tokens.first else { return text.isEmpty }
        let rest = tokens.dropFirst()
        switch first {
        case .byte(let byte): return text.first == byte && matches(rest, text.dropFirst())
        case .one: return !text.isEmpty && matches(rest, text.dropFirst())
        case .run: return (text.startIndex...text.endIndex).contains { matches(rest, text[$0...]) }
        case .choice(let values): return values.contains { matches(($0 + rest)[...], text) }
        case .undefined: return false
        }
    }
}

import StrictJSON

/// A URL that gets past an exclusion.
struct Evasion {
    /// The way in which another spelling gets past an exclusion.
    enum Way {
        case letterCase
        case encoding
        /// A query item that appears twice.
        case repetition
    }

    let url: String
    let way: Way
}

/// "An `exclude` can be evaded with `%61dmin` or `Admin` unless both flags are false" [INF].
extension Linter {
    /// The maximum number of exclusions tried for each entry.
    private static let attempts = 4

    func lintEvasions() {
        for (index, entry) in entries.enumerated() {
            guard let app = firstApps[index], let rules = entry.rules, rules.contains(where: { !$0.excludes }) else {
                continue
            }
            let excludes = rules.filter { $0.excludes && !$0.isDefective && !($0.isFolded && $0.isDecoded) }
            // One finding per entry: the same spellings get past its other exclusions too.
            for rule in excludes.prefix(Self.attempts) {
                if reportEvasion(of: rule, app) { break }
                if budget.isExhausted { return }
            }
        }
    }

    /// Reports an evasion. Returns whether it has added a finding.
    private func reportEvasion(of rule: RuleShape, _ app: Int) -> Bool {
        guard let path = ExampleURL.path(rule.path, nil, &budget),
            let excluded = ExampleURL.url(path, rule, nil, &budget)
        else { return false }
        var found: [Evasion] = []
        for evasion in evasions(of: rule, path, excluded) where !found.contains(where: { $0.way == evasion.way }) {
            // No flag prevents repetition, so it is reported only if no other spelling gets past the exclusion.
            if evasion.way == .repetition, !found.isEmpty { break }
            if decide(evasion.url) != nil, verdict(ofApp: app)?.outcome == .opens { found.append(evasion) }
        }
        guard let first = found.first, isExcluded(excluded, app, by: rule) else { return false }
        add(
            .evadableExclude(found, excluded: excluded, isInPaths: rule.isPath), rule.pointer,
            fix: first.way == .repetition ? nil : closing(rule))
        return true
    }

    /// Other spellings of a URL that the rule excludes, each with its way.
    private func evasions(of rule: RuleShape, _ path: String, _ excluded: String) -> [Evasion] {
        var urls: [Evasion] = []
        func add(_ path: String?, _ way: Evasion.Way) {
            guard let path, let url = ExampleURL.url(path, rule, nil, &budget) else { return }
            urls.append(Evasion(url: url, way: way))
        }
        if !rule.isFolded { add(Self.otherCase(path), .letterCase) }
        if !rule.isDecoded { add(Self.encoded(path), .encoding) }
        // "Name repeated: every occurrence must match" [OBS].
        guard case .items(let items) = rule.query, let mark = excluded.utf8.firstIndex(of: UInt8(ascii: "?")),
            let item = items.first(where: { !$0.pattern.tokens.isEmpty && $0.pattern.tokens.allSatisfy(\.isCharacter) })
        else { return urls }
        let value = item.pattern.tokens.compactMap { if case .character(let scalar) = $0 { scalar } else { nil } }
        let written = "\(item.name)=\(PatternShape.text(value))"
        let end = excluded.utf8[mark...].firstIndex(of: UInt8(ascii: "#")) ?? excluded.endIndex
        let (head, query, tail) = (excluded[..<mark], String(excluded[mark..<end]), excluded[end...])
        if !rule.isFolded, let other = Self.otherCase(PatternShape.text(value)) {
            let respelled = query.replacing(written, with: "\(item.name)=\(other)")
            urls.append(Evasion(url: "\(head)\(respelled)\(tail)", way: .letterCase))
        }
        urls.append(Evasion(url: "\(head)\(query)&\(item.name)=\(tail)", way: .repetition))
        return urls
    }

    private func isExcluded(_ url: String, _ app: Int, by rule: RuleShape) -> Bool {
        guard decide(url) != nil, let verdict = verdict(ofApp: app) else { return false }
        return verdict.outcome == .excluded && verdict.decidedBy == rule.pointer
    }

    /// Sets both flags to false in the rule. Returns `nil` if the rule is not an object or already has one of the
    /// flags.
    private func closing(_ rule: RuleShape) -> Fix? {
        guard case .object(let object)? = association.root[rule.pointer], let first = object.members.first,
            object["caseSensitive"] == nil, object["percentEncoded"] == nil,
            let offset = source.json.keyPosition(of: rule.pointer.appending(first.name))?.offset
        else { return nil }
        // A pattern with escapes would no longer match decoded URLs.
        let hasEscape = rule.patterns.contains { pattern in
            pattern.tokens.contains { if case .character(0x25) = $0 { true } else { false } }
        }
        guard !hasEscape else { return nil }
        let flags = #""caseSensitive": false, "percentEncoded": false, "#
        return Fix(
            title: "Exclude all spellings", keepsOutcomes: false,
            edits: [Fix.Edit(offset: offset, length: 0, text: flags)])
    }

    /// The path with its first letter in the other case.
    private static func otherCase(_ path: String) -> String? {
        change(path) { $0 ^ 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The path with its first letter percent-encoded.
    private static func encoded(_ path: String) -> String? {
        guard let index = firstLetter(path) else { return nil }
        let bytes = Array(path.utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        let escape = [UInt8(ascii: "%"), digits[Int(bytes[index] >> 4)], digits[Int(bytes[index] & 15)]]
        return String(decoding: bytes[..<index] + escape + bytes[(index + 1)...], as: UTF8.self)
    }

    private static func change(_ path: String, _ body: (UInt8) -> UInt8) -> [UInt8]? {
        guard let index = firstLetter(path) else { return nil }
        var bytes = Array(path.utf8)
        bytes[index] = body(bytes[index])
        return bytes
    }

    /// The first letter that is not part of an escape.
    private static func firstLetter(_ path: String) -> Int? {
        let bytes = Array(path.utf8)
        return bytes.indices.first { index in
            let isLetter = (0x61...0x7A).contains(bytes[index] | 0x20)
            return isLetter && !bytes[max(0, index - 2)..<index].contains(UInt8(ascii: "%"))
        }
    }
}

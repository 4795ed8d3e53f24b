/// The sentences that explain the result of a part of a rule. It contains all texts of explanations.
struct ExplanationText {
    /// A change that would make a part match.
    enum Hint: CaseIterable {
        case ignoreCase
        case decode
        case ignoreCaseAndDecode

        func applied(to form: TextForm) -> TextForm {
            TextForm(
                isFolded: form.isFolded || self != .decode, isDecoded: form.isDecoded || self != .ignoreCase)
        }

        var sentence: String {
            switch self {
            case .ignoreCase: "Only letter case differs: with \"caseSensitive\": false it would match."
            case .decode: "Only percent-encoding differs: with \"percentEncoded\": false it would match."
            case .ignoreCaseAndDecode:
                "With \"caseSensitive\": false and \"percentEncoded\": false it would match."
            }
        }
    }

    let part: PartTrace.Part
    let item: (name: String, occurrence: Occurrence)?
    let test: PartTest
    /// The pieces of the pattern, in the letter case of the file.
    let pieces: [ResolvedPattern.Piece]
    /// The compared text. Letters are folded if letter case is ignored.
    let text: [UInt8]
    /// The same text in the letter case of the URL. It has the same number of characters, but may have a different
    /// number of bytes.
    let written: [UInt8]
    let match: ResolvedPattern.Match
    var hint: Hint?
    /// Whether the comparison was stopped because it took too long.
    var isUnfinished = false

    /// The whole explanation.
    var reason: String {
        if isUnfinished { return "This comparison takes too long to be explained." }
        let sentence = match.matches ? success : "\(subject)\(isAbsent ? ";" : ":") \(failure)."
        return [sentence, hint?.sentence].compactMap(\.self).joined(separator: " ")
    }

    /// The reason for the result of a whole rule.
    static func summary(_ parts: [PartTrace], excludes: Bool) -> String {
        let failed = parts.filter { !$0.matches }
        guard let first = failed.first else {
            let all = parts.isEmpty ? "The rule has no patterns and matches every URL" : "Every part matches"
            return all + (excludes ? ": the URL opens in the browser." : ": the URL opens the app.")
        }
        let others = failed.count - 1
        if others == 0 { return first.reason }
        return first.reason + (others == 1 ? " 1 more part does not match." : " \(others) more parts do not match.")
    }

    /// The text, cut to at most ``AppTrace/Limits/text`` characters.
    static func cut(_ text: String, to limit: Int = AppTrace.Limits.text) -> String {
        guard text.unicodeScalars.count > limit else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
    }

    private var success: String {
        let uses = match.variables.map { "$(\($0.name)) is \(quoted($0.value))" }.joined(separator: ", ")
        let matched: String
        if let item, !item.occurrence.isThere {
            matched = "the URL has no query item \(quoted(item.name)); \(pattern) matches a missing item"
        } else if text.isEmpty, item == nil, part != .path {
            matched = "the URL has no \(absent); \(pattern) matches that"
        } else {
            let value = written.isEmpty ? "empty" : quoted(written)
            let what = item.map { "query item \(quoted($0.name)), which is \(value)" } ?? "\(part.rawValue) \(value)"
            matched = "\(pattern) matches the \(what)"
        }
        return capitalized(matched) + (uses.isEmpty ? "" : " (\(uses))") + "."
    }

    /// The compared part, as the beginning of a sentence about a failure.
    private var subject: String {
        if let item {
            if !item.occurrence.isThere { return "The URL has no query item \(quoted(item.name))" }
            let count = item.occurrence
            let which = count.of > 1 ? " (\(count.number) of \(count.of), all of which must match)" : ""
            return "Query item \(quoted(item.name))\(which) is " + (written.isEmpty ? "empty" : quoted(written))
        }
        if text.isEmpty, part != .path { return "The URL has no \(absent)" }
        return "\(capitalized(part.rawValue)) \(quoted(written))"
    }

    /// Whether the URL lacks the part or the item.
    private var isAbsent: Bool { item.map { !$0.occurrence.isThere } ?? (text.isEmpty && part != .path) }

    /// The name of a query or fragment that the URL lacks.
    private var absent: String { part == .fragment ? "#fragment" : part.rawValue }

    /// The compared part, for a second mention.
    private var noun: String { item == nil ? part.rawValue : "value" }

    private var pattern: String { test.written.isEmpty ? "an empty pattern" : quoted(test.written) }

    private var failure: String {
        switch test.pattern.defect {
        case .undefinedVariable(let name): return "\(pattern) never matches because $(\(name)) is not defined"
        case .unterminatedVariable: return "\(pattern) never matches because its $( has no )"
        case nil: break
        }
        if isAbsent { return "this rule requires \(pattern)" }
        if let counting { return counting }
        guard let failing = match.failing else { return tooLong }
        if match.reached == 0, pieces.count == 1, case .literal = pieces[0] { return "\(pattern) does not match" }
        let wanted: String
        switch pieces[failing] {
        case .literal(let literal): wanted = quoted(literal.dropFirst(isBehindRun(failing) ? 0 : agreed(failing)))
        case .one: wanted = "one more character"
        case .run: wanted = "anything"
        case .variable(let name, let values):
            wanted = values.isEmpty ? "a value of $(\(name)), which has none" : "a value of $(\(name))"
        }
        if isBehindRun(failing) {
            return "\(pattern) \(upTo)requires \(wanted) \(upTo.isEmpty ? "somewhere" : "later"), but there is none"
        }
        return "\(pattern) \(upTo)requires \(wanted), but \(found(at: match.reached))"
    }

    /// The reason if the whole pattern matches, but the text continues.
    private var tooLong: String {
        if case .literal(let literal)? = test.pattern.pieces.last, case .literal(let wanted)? = pieces.last,
            pieces.count > 1
        {
            let start = Self.place(max(0, text.count - literal.count), of: text, in: written)
            return "\(pattern) requires \(quoted(wanted)) at the end, but finds \(quoted(written[start...]))"
        }
        if match.reached == 0 { return "\(pattern) matches only an empty \(noun)" }
        let rest = written[Self.place(match.reached, of: text, in: written)...]
        if rest.isEmpty { return "\(pattern) does not match the whole \(noun)" }
        return "\(pattern) \(upTo)ends, but the \(noun) continues with \(quoted(rest.prefix(32)))"
    }

    /// The reason for patterns of only `?` and `*`. These restrict only the length.
    private var counting: String? {
        let pieces = test.pattern.pieces
        let ones = pieces.count { if case .one = $0 { true } else { false } }
        let hasRun = pieces.contains { if case .run = $0 { true } else { false } }
        guard ones > 0, part != .path, pieces.count == ones + (hasRun ? 1 : 0) else { return nil }
        let count = text.count { $0 & 0xC0 != 0x80 }
        return "\(pattern) requires \(hasRun ? "at least" : "exactly") \(characters(ones)), but there "
            + (count == 1 ? "is 1" : count == 0 ? "are none" : "are \(count)")
    }

    private var upTo: String {
        let place = Self.place(match.reached, of: text, in: written)
        return place > 0 ? "matches up to \(quoted(written[..<place])), then " : ""
    }

    private func isBehindRun(_ index: Int) -> Bool {
        if index > 0, case .run = test.pattern.pieces[index - 1] { true } else { false }
    }

    /// The number of bytes of a literal piece, as written, that agree with the text.
    private func agreed(_ piece: Int) -> Int {
        guard case .literal(let literal) = test.pattern.pieces[piece], case .literal(let wanted) = pieces[piece] else {
            return 0
        }
        let head = text.prefix(match.reached)
        let count = (0...min(literal.count, head.count)).last {
            head.suffix($0).elementsEqual(literal.prefix($0))
        }
        return Self.place(count ?? 0, of: literal, in: wanted)
    }

    private func found(at place: Int) -> String {
        guard place < text.count else { return "the \(noun) ends there" }
        return "finds \(quoted(written[Self.place(place, of: text, in: written)...].prefix(32)))"
    }

    /// Converts a place in a text to the corresponding place in another text with the same number of characters.
    private static func place(_ place: Int, of text: [UInt8], in other: [UInt8]) -> Int {
        let isStart = { (byte: UInt8) in byte & 0xC0 != 0x80 }
        var left = text.prefix(place).count(where: isStart)
        if place < text.count, !isStart(text[place]) { left -= 1 }
        return other.firstIndex { byte in
            if isStart(byte) { left -= 1 }
            return left < 0
        } ?? other.count
    }

    private func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private func quoted(_ bytes: some Sequence<UInt8>) -> String {
        quoted(String(decoding: Array(bytes), as: UTF8.self))
    }

    private func quoted(_ text: String) -> String {
        text.isEmpty ? "an empty text" : "`\(Self.cut(text, to: 120))`"
    }
}

/// Says in plain sentences how a part of a rule fared. All text of explanations is made here.
struct ExplanationText {
    /// What would make a part match that does not.
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
    /// The pieces of the pattern, their letters as the file has them.
    let pieces: [ResolvedPattern.Piece]
    /// The text as it was compared.
    let text: [UInt8]
    /// The same, its letters as the URL has them: as many characters, but maybe not as many bytes.
    let written: [UInt8]
    let match: ResolvedPattern.Match
    var hint: Hint?
    /// Whether comparing was given up.
    var isUnfinished = false

    /// The whole sentence or sentences.
    var reason: String {
        if isUnfinished { return "Comparing this takes too much work to be explained." }
        let sentence = match.matches ? success : "\(subject): \(failure)."
        return [sentence, hint?.sentence].compactMap(\.self).joined(separator: " ")
    }

    /// How a whole rule fared.
    static func summary(_ parts: [PartTrace], excludes: Bool) -> String {
        let failed = parts.filter { !$0.matches }
        guard let first = failed.first else {
            let all = parts.isEmpty ? "The rule has no patterns, so every URL matches" : "Every part matches"
            return all + (excludes ? ": the URL stays on the web." : ": the URL opens the app.")
        }
        return first.reason + (failed.count > 1 ? " \(failed.count - 1) more of its parts do not match." : "")
    }

    /// A text in at most ``AppTrace/Limits/text`` characters.
    static func cut(_ text: String, to limit: Int = AppTrace.Limits.text) -> String {
        guard text.unicodeScalars.count > limit else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
    }

    private var success: String {
        let pattern = quoted(test.written)
        let uses = match.variables.map { "$(\($0.name)) is \(quoted($0.value))" }.joined(separator: ", ")
        let matched: String
        if let item, !item.occurrence.isThere {
            matched = "there is no query item \(quoted(item.name)), which counts as empty, and \(pattern) matches that"
        } else if text.isEmpty, item == nil, part != .path {
            matched = "there is no \(part.rawValue), which counts as empty, and \(pattern) matches that"
        } else {
            matched = "\(pattern) matches \(noun) \(quoted(written))"
        }
        return capitalized(matched) + (uses.isEmpty ? "" : " (\(uses))") + "."
    }

    /// What the sentence is about.
    private var subject: String {
        if let item {
            if !item.occurrence.isThere { return "There is no query item \(quoted(item.name)), which counts as empty" }
            let count = item.occurrence
            let which = count.of > 1 ? " (\(count.number) of \(count.of), and each has to match)" : ""
            return "Query item \(quoted(item.name))\(which) is \(quoted(written))"
        }
        if text.isEmpty, part != .path { return "There is no \(part.rawValue), which counts as empty" }
        return "\(capitalized(part.rawValue)) \(quoted(written))"
    }

    private var noun: String { item.map { "query item \(quoted($0.name)), which is" } ?? part.rawValue }

    private var failure: String {
        let pattern = quoted(test.written)
        switch test.pattern.defect {
        case .undefinedVariable(let name): return "\(pattern) never matches, because $(\(name)) is not defined"
        case .unterminatedVariable: return "\(pattern) never matches, because its $( lacks the )"
        case nil: break
        }
        if let counting { return counting }
        guard let failing = match.failing else { return tooLong }
        let wanted: String
        switch pieces[failing] {
        case .literal(let literal): wanted = quoted(literal.dropFirst(isBehindRun(failing) ? 0 : agreed(failing)))
        case .one: wanted = "one more character"
        case .run: wanted = "anything"
        case .variable(let name, let values):
            wanted = values.isEmpty ? "a value of $(\(name)), which has none" : "a value of $(\(name))"
        }
        if isBehindRun(failing) {
            return "\(pattern) \(upTo)wants \(wanted) somewhere behind that, which does not come"
        }
        return "\(pattern) \(upTo)wants \(wanted), finds \(found(at: match.reached))"
    }

    /// The pattern goes along, but the text goes on.
    private var tooLong: String {
        let pattern = quoted(test.written)
        if case .literal(let literal)? = test.pattern.pieces.last, case .literal(let wanted)? = pieces.last,
            pieces.count > 1
        {
            let start = Self.place(max(0, text.count - literal.count), of: text, in: written)
            return "\(pattern) wants \(quoted(wanted)) at the end, finds \(quoted(written[start...]))"
        }
        return "\(pattern) \(upTo)wants the end, finds \(found(at: match.reached))"
    }

    /// Patterns of nothing but `?` speak of length alone.
    private var counting: String? {
        let pieces = test.pattern.pieces
        let ones = pieces.count { if case .one = $0 { true } else { false } }
        let hasRun = pieces.contains { if case .run = $0 { true } else { false } }
        guard ones > 0, part != .path, pieces.count == ones + (hasRun ? 1 : 0) else { return nil }
        let count = text.count { $0 & 0xC0 != 0x80 }
        return "\(quoted(test.written)) wants \(hasRun ? "at least" : "exactly") \(characters(ones)), "
            + (count == 1 ? "there is 1" : count == 0 ? "there are none" : "there are \(count)")
    }

    private var upTo: String {
        let place = Self.place(match.reached, of: text, in: written)
        return place > 0 ? "matches up to \(quoted(written[..<place])), then " : ""
    }

    private func isBehindRun(_ index: Int) -> Bool {
        if index > 0, case .run = test.pattern.pieces[index - 1] { true } else { false }
    }

    /// How many bytes of a plain text, as it is written, agree at its place, back from where the agreement ends.
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
        place < text.count ? quoted(written[Self.place(place, of: text, in: written)...].prefix(32)) : "the end"
    }

    /// A place of a text in another one of as many characters.
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
        text.isEmpty ? "nothing" : "`\(Self.cut(text, to: 120))`"
    }
}

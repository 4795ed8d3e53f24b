import StrictJSON

extension Explainer {
    /// Explains the outcomes of an evaluation.
    func trace(
        _ evaluation: Evaluation, _ parts: URLParts?, _ explanation: Explanation, while mayContinue: () -> Bool
    ) -> [AppTrace] {
        guard let parts, evaluation.ineligibility == nil else { return [] }
        let file = reading(nil)
        var tracer = Tracer(file: file, url: texts(parts, file))
        return file.apps.filter { app in
            if case .app(let wanted) = explanation { app.id.utf8.elementsEqual(wanted.utf8) } else { true }
        }.map { tracer.trace($0, while: mayContinue) }
    }
}

/// Compares a URL with the rules of a file once more, and records the result of each part of each rule. This is slower
/// than ``Decider``.
private struct Tracer {
    /// The results of an entry's rules, shared by all of its apps.
    private struct EntryTrace {
        /// The tried rules, as far as the limits allow. The deciding rule is the last.
        var rules: [RuleTrace] = []
        /// The number of rules that were tried. If the work limit was reached, the number of all rules of the entry.
        var tried = 0
        var isUnfinished = false
        var nearest: (miss: Nearness, pointer: JSONPointer)?
    }

    let file: FileReading
    let url: URLTexts
    private var rulesLeft = AppTrace.Limits.rules
    private var bytesLeft = AppTrace.Limits.bytes
    private var work = AppTrace.Limits.work
    private var known: [Int: EntryTrace] = [:]

    init(file: FileReading, url: URLTexts) {
        self.file = file
        self.url = url
    }

    mutating func trace(_ app: FileReading.App, while mayContinue: () -> Bool) -> AppTrace {
        let index = app.entries.first ?? 0
        let entry = file.entries[index]
        let found = known[index] ?? trace(entry, while: mayContinue)
        known[index] = found
        var traces: [RuleTrace] = []
        for trace in found.rules where trace.matches || hasRoom {
            // The deciding rule is always included. If the limits are reached, its parts are left out.
            traces.append(hasRoom ? trace : trace.withoutParts)
            rulesLeft -= 1
            bytesLeft -= trace.size
        }
        return AppTrace(
            app: app.id, entry: entry.pointer, note: note(entry, app, isUnfinished: found.isUnfinished), rules: traces,
            notTried: (entry.rules?.count ?? 0) - found.tried, leftOut: found.tried - traces.count,
            nearestMiss: found.nearest?.pointer)
    }

    private var hasRoom: Bool { rulesLeft > 0 && bytesLeft > 0 }

    private mutating func trace(_ entry: FileReading.Entry, while mayContinue: () -> Bool) -> EntryTrace {
        var found = EntryTrace()
        var bytes = 0
        for rule in entry.rules ?? [] {
            guard mayContinue(), let (trace, nearness) = trace(rule, while: mayContinue) else {
                found.isUnfinished = true
                found.tried = entry.rules?.count ?? 0
                break
            }
            found.tried += 1
            if trace.matches || (found.rules.count < rulesLeft && bytes < bytesLeft) {
                bytes += trace.size
                found.rules.append(trace)
            }
            if trace.matches {
                found.nearest = nil
                break
            }
            if nearness.isWorthNaming, found.nearest.map({ $0.miss < nearness }) ?? true {
                found.nearest = (nearness, rule.pointer)
            }
        }
        return found
    }

    private func note(_ entry: FileReading.Entry, _ app: FileReading.App, isUnfinished: Bool) -> String? {
        var notes: [String] = []
        if isUnfinished { notes.append("Not all rules are explained, because that would take too long.") }
        if entry.rules == nil { notes.append("This entry has no rules, so every URL opens the app.") }
        if let rules = entry.rules, rules.isEmpty {
            notes.append("This entry's list of rules is empty, so no URL opens the app.")
        }
        let others = app.entries.dropFirst().prefix(10).map { "\(file.entries[$0].pointer)" }
        if !others.isEmpty {
            let more = app.entries.count - 1 - others.count
            let places = others.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            notes.append("The app is also listed in \(places), but only its first entry counts.")
        }
        return notes.isEmpty ? nil : notes.joined(separator: " ")
    }

    /// Compares the URL with a rule. Returns `nil` if the work limit is reached before all parts of the rule are
    /// compared.
    private mutating func trace(_ rule: RuleTest, while mayContinue: () -> Bool) -> (RuleTrace, Nearness)? {
        var parts: [PartTrace] = []
        var agreement = 0
        var pathMatches = true
        if let path = rule.path {
            let (trace, reached) = part(.path, path, url.pathText, rule.form)
            parts.append(trace)
            agreement = reached
            pathMatches = trace.matches
        }
        guard let inQuery = queryParts(rule, while: mayContinue) else { return nil }
        parts += inQuery
        if let fragment = rule.fragment {
            parts.append(part(.fragment, fragment, url.fragmentText, rule.form).0)
        }
        let failed = parts.count { !$0.matches }
        let nearness = Nearness(
            opens: !rule.excludes, pathMatches: pathMatches && rule.path != nil, failedParts: failed,
            agreement: agreement)
        let trace = RuleTrace(
            pointer: rule.pointer, matches: failed == 0, excludes: rule.excludes,
            comment: rule.comment.map { ExplanationText.cut($0) },
            summary: ExplanationText.summary(parts, excludes: rule.excludes),
            parts: Self.shortened(parts))
        return (trace, nearness)
    }

    private static func shortened(_ parts: [PartTrace]) -> [PartTrace] {
        guard parts.count > AppTrace.Limits.parts else { return parts }
        let first = parts.prefix(AppTrace.Limits.parts - 1)
        let last = first.allSatisfy(\.matches) ? parts.first { !$0.matches } : nil
        return first + [last ?? parts[first.endIndex]]
    }

    private mutating func queryParts(_ rule: RuleTest, while mayContinue: () -> Bool) -> [PartTrace]? {
        switch rule.query {
        case .any: return []
        case .whole(let test): return [part(.query, test, url.queryText, rule.form).0]
        case .items(let items):
            var ignored: Set<OpenRule> = []
            let present = url.items(rule.form, &ignored)
            let written = url.items(rule.form.withLetterCase, &ignored)
            var parts: [PartTrace] = []
            for item in items {
                let values = item.values(among: present, file.patterns, &work)
                let writtenValues = item.values(among: written, file.patterns, &work)
                let name = Array(item.name.utf8)
                let isThere = present.contains { $0.name == name }
                for (index, (value, writtenValue)) in zip(values, writtenValues).enumerated() {
                    guard mayContinue() else { return nil }
                    let text = { (form: TextForm, _: URLTexts) in form.isFolded ? value : writtenValue }
                    let occurrence = Occurrence(number: index + 1, of: values.count, isThere: isThere)
                    parts.append(
                        part(.query, item.test, text, rule.form, item: (item.name, occurrence)).0)
                }
            }
            return parts
        }
    }

    /// Compares one part. Also returns the number of bytes at the beginning of the text that agree with the pattern.
    private mutating func part(
        _ part: PartTrace.Part, _ test: PartTest, _ text: (TextForm, URLTexts) -> [UInt8], _ form: TextForm,
        item: (name: String, occurrence: Occurrence)? = nil
    ) -> (PartTrace, Int) {
        let compared = text(form, url)
        let match = test.pattern.match(compared, findsVariables: true, &work)
        let written = form.isFolded ? text(form.withLetterCase, url) : compared
        // Sentences quote the pattern and the URL as written.
        let pieces =
            form.isFolded && !match.matches
            ? ResolvedPattern(test.normalized, isFolded: false, reading: file.patterns).pieces : test.pattern.pieces
        var wording = ExplanationText(
            part: part, item: item, test: test, pieces: pieces, text: compared, written: written, match: match)
        if work <= 0 { wording.isUnfinished = true }
        if !match.matches, item == nil { wording.hint = hint(test, text, form) }
        let pattern = String(decoding: test.compared, as: UTF8.self)
        let trace = PartTrace(
            part: part, name: item.map { ExplanationText.cut($0.name) }, pattern: ExplanationText.cut(test.written),
            compared: pattern.utf8.elementsEqual(test.written.utf8) ? nil : ExplanationText.cut(pattern),
            text: ExplanationText.cut(String(decoding: written, as: UTF8.self)),
            variables: match.variables.map { PartTrace.VariableUse(name: $0.name, value: $0.value) },
            matches: match.matches, reason: wording.reason)
        return (trace, match.reached)
    }

    /// The flags that would make the part match, or `nil` if none would.
    private mutating func hint(
        _ test: PartTest, _ text: (TextForm, URLTexts) -> [UInt8], _ form: TextForm
    ) -> ExplanationText.Hint? {
        var ignored: Set<OpenRule> = []
        for hint in ExplanationText.Hint.allCases {
            let other = hint.applied(to: form)
            if other == form { continue }
            let pattern =
                other.isFolded == form.isFolded
                ? test.pattern
                : ResolvedPattern(
                    file.patterns.folded(test.compared, &ignored), isFolded: other.isFolded, reading: file.patterns)
            if pattern.match(text(other, url), &work).matches { return hint }
        }
        return nil
    }
}

/// One of several items with the same name.
struct Occurrence {
    let number: Int
    let of: Int
    /// Whether the URL has an item with the name.
    let isThere: Bool
}

/// How close a rule came to a match. See ``AppTrace/nearestMiss``.
private struct Nearness: Comparable {
    let opens: Bool
    let pathMatches: Bool
    let failedParts: Int
    let agreement: Int

    /// Whether the rule counts as a near miss. Every path begins with a slash, so agreement on the slash alone is not
    /// enough.
    var isWorthNaming: Bool { pathMatches || agreement > 1 }

    static func < (left: Nearness, right: Nearness) -> Bool {
        if left.opens != right.opens { return right.opens }
        if left.pathMatches != right.pathMatches { return right.pathMatches }
        if left.failedParts != right.failedParts { return left.failedParts > right.failedParts }
        return left.agreement < right.agreement
    }
}

extension URLTexts {
    fileprivate var pathText: (TextForm, URLTexts) -> [UInt8] {
        { form, url in
            var ignored: Set<OpenRule> = []
            return url.path(form, &ignored)
        }
    }

    fileprivate var queryText: (TextForm, URLTexts) -> [UInt8] {
        { form, url in
            var ignored: Set<OpenRule> = []
            return url.query(form, &ignored)
        }
    }

    fileprivate var fragmentText: (TextForm, URLTexts) -> [UInt8] {
        { form, url in
            var ignored: Set<OpenRule> = []
            return url.fragment(form, &ignored)
        }
    }
}

extension RuleTrace {
    fileprivate var withoutParts: RuleTrace {
        var copy = self
        copy.parts = []
        return copy
    }

    /// The approximate number of bytes of its texts.
    fileprivate var size: Int {
        parts.reduce(summary.utf8.count) { $0 + $1.pattern.utf8.count + 2 * $1.text.utf8.count + $1.reason.utf8.count }
    }
}

public import StrictJSON

/// What became of a file's parts on their way into a draft, where it is not simply the same.
public struct ImportReport: Hashable, Sendable {
    /// What became of a part.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// It is in the draft, though not where one might look, or not in the published file.
        case kept
        /// It is in the draft in another form with the same meaning.
        case changed
        /// It is not in the draft; it had no effect, or cannot be expressed.
        case dropped
        /// It is an error that lint finds in the file and not in the draft, or the other way round: look at it.
        case problem
    }

    /// One part.
    public struct Item: Hashable, Sendable {
        /// Where it stands in the imported file.
        public let pointer: JSONPointer
        /// What became of it.
        public let action: Action
        /// How and why, in words.
        public let detail: String
    }

    /// The parts, in the order of the file; then what changes on iOS 9 to 12; then what lint says.
    public let items: [Item]
}

extension ImportReport {
    /// The report with a ``Action/problem`` for each error that the file has and the draft hides, and for each that the
    /// draft has and the file did not: nobody must take an import for a correction. It takes the place of an item at the
    /// same pointer.
    ///
    /// - Parameters:
    ///   - file: What lint says of the file.
    ///   - draft: What it says of the file that the draft makes.
    public func naming(errorsOf file: LintReport, draft: LintReport) -> ImportReport {
        let (before, after) = (Self.errors(file), Self.errors(draft))
        var items = items
        var places = Dictionary(
            items.enumerated().map { ($1.pointer, $0) }, uniquingKeysWith: { first, _ in first })
        func add(_ finding: Finding, _ sentence: String) {
            let text = "\(sentence) \(finding.code.rawValue): \(finding.message) \(finding.remedy)"
            let place = places[finding.pointer]
            let detail = place.map { "\(items[$0].detail). \(text)" } ?? text
            let item = Item(pointer: finding.pointer, action: .problem, detail: detail)
            if let place { items[place] = item } else { items.append(item) }
            places[finding.pointer] = place ?? items.count - 1
        }
        for finding in Self.without(after, before) { add(finding, "The draft no longer shows this error of the file.") }
        for finding in Self.without(before, after) { add(finding, "The file did not have this error.") }
        return ImportReport(items: items)
    }

    /// By code.
    private static func errors(_ report: LintReport) -> [FindingCode: [Finding]] {
        Dictionary(grouping: report.findings.filter { $0.severity == .error }, by: \.code)
    }

    /// The errors of the other that are more than in this one, by code: with an import, places may be others.
    private static func without(_ known: [FindingCode: [Finding]], _ other: [FindingCode: [Finding]]) -> [Finding] {
        FindingCode.allCases.flatMap { code -> [Finding] in
            let (old, new) = (known[code] ?? [], other[code] ?? [])
            let places = Set(old.map(\.pointer))
            return Array(new.filter { !places.contains($0.pointer) }.prefix(max(0, new.count - old.count)))
        }
    }
}

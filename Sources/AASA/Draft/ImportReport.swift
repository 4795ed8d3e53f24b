public import StrictJSON

/// A report on the parts of a file that an import changed, moved or dropped.
public struct ImportReport: Hashable, Sendable {
    /// The effect of the import on a part of the file.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// The part is in the draft, but at an unexpected place, or it is not published.
        case kept
        /// The part is in the draft in a different form with the same meaning.
        case changed
        /// The part is not in the draft, because it had no effect or a draft cannot express it.
        case dropped
        /// An error that lint finds only in the file or only in the draft. A person must check it.
        case problem
    }

    /// A part of the imported file.
    public struct Item: Hashable, Sendable {
        /// The place of the part in the imported file.
        public let pointer: JSONPointer
        /// The effect of the import on the part.
        public let action: Action
        /// The reason and the details, as a clause for people.
        public let detail: String
    }

    /// The parts in the order of the file, then the changes on iOS 9 to 12, then the problems.
    public let items: [Item]
}

extension ImportReport {
    /// Returns the report with a ``Action/problem`` for each error that only the file or only the draft has. It
    /// replaces the item at the same pointer. Without the problems, people could think that the import has corrected
    /// the file.
    ///
    /// - Parameters:
    ///   - file: The lint report on the imported file.
    ///   - draft: The lint report on the file that the draft generates.
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

    /// The errors, by code.
    private static func errors(_ report: LintReport) -> [FindingCode: [Finding]] {
        Dictionary(grouping: report.findings.filter { $0.severity == .error }, by: \.code)
    }

    /// The errors in `other` that are not in `known`. They are compared by code, because an import can move a part to
    /// another place.
    private static func without(_ known: [FindingCode: [Finding]], _ other: [FindingCode: [Finding]]) -> [Finding] {
        FindingCode.allCases.flatMap { code -> [Finding] in
            let (old, new) = (known[code] ?? [], other[code] ?? [])
            let places = Set(old.map(\.pointer))
            return Array(new.filter { !places.contains($0.pointer) }.prefix(max(0, new.count - old.count)))
        }
    }
}

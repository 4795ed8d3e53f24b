import StrictJSON

/// A line of a report for people.
public struct ReportLine: Hashable, Sendable {
    /// The kind of line.
    public enum Mark: String, Hashable, Sendable {
        /// A line that is only in the new file.
        case added = "+"
        /// A line that is only in the old file.
        case removed = "-"
        /// A line about something that is in both files, but different.
        case changed = "~"
        /// Any other line.
        case none = " "
    }

    /// The kind of the line.
    public let mark: Mark
    /// The text, without control characters.
    public let text: String
}

extension Difference {
    /// The maximum number of lines per section.
    static let maximumReportLines = 200
    /// The limits of a line: the maximum number of values of a variable, and the maximum number of characters of any
    /// other value.
    fileprivate static let maximumReportValues = 20
    fileprivate static let maximumReportValue = 1_000

    /// The difference as text: the changes in the files, the URLs whose outcome changes, and a summary. Sections are
    /// cut after 200 lines, lists after 20 values, and values after 1,000 characters. The report shows where it is cut.
    public var report: [ReportLine] {
        let sections: [(title: String, lines: [ReportLine])] = [
            ("Rules", rules.flatMap(\.lines)), ("Entries", entries.map(\.line)), ("Apps", apps.lines),
            ("Services", services.flatMap(\.lines)),
            ("Substitution variables", variables.flatMap(\.lines)),
            ("Defaults", defaults.flatMap(\.lines)),
            ("Other keys", other.map { ReportLine(.changed, ($0.to ?? $0.from)?.description ?? "") }),
            ("URLs", outcomes.flatMap { $0.lines(namingSystem: systems.count > 1) }),
        ]
        var lines: [ReportLine] = []
        for section in sections where !section.lines.isEmpty {
            lines.append(ReportLine(.none, section.title))
            lines += section.lines.prefix(Self.maximumReportLines)
            let rest = section.lines.count - Self.maximumReportLines
            if rest > 0 { lines.append(ReportLine(.none, "  … and \(rest) more lines")) }
        }
        return lines + summary.map { ReportLine(.none, $0) }
    }

    private var summary: [String] {
        let tried = "\(urls.tried) URL\(urls.tried == 1 ? "" : "s") tried"
        var sentences: [String]
        if isEmpty {
            sentences = ["The files have the same content."]
        } else if !outcomes.isEmpty {
            sentences = ["\(urls.changed) of \(tried) change\(urls.changed == 1 ? "s" : "")."]
            if rules.allSatisfy({ $0.kind == .sameMeaning }) {
                sentences.append("No rule changes its meaning: the apps, their order or the variables differ.")
            }
        } else if isWithoutEffect {
            sentences = ["The files have the same meaning, but are written differently.", "None of \(tried) changes."]
        } else {
            sentences = ["The files differ, but none of \(tried) changes."]
        }
        sentences.insert("Compared for \(systems.map(\.words).joined(separator: " and for ")).", at: 0)
        if isTruncated {
            sentences.append("The files are too large or too complex to compare completely: there may be more changes.")
        }
        return sentences
    }
}

extension ReportLine {
    fileprivate init(_ mark: Mark, _ text: String) {
        self.mark = mark
        // Removes control characters, so that a file cannot control the terminal.
        self.text = text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.properties.generalCategory == .control {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// The old and the new value, if they exist.
    fileprivate static func pair(_ name: String, _ before: JSONValue?, _ after: JSONValue?) -> [ReportLine] {
        [
            before.map { ReportLine(.removed, "\(name): \($0.line)") },
            after.map { ReportLine(.added, "\(name): \($0.line)") },
        ]
        .compactMap(\.self)
    }
}

extension JSONValue {
    /// The value on one line.
    fileprivate var line: String {
        let text = String(decoding: bytes(), as: UTF8.self)
        let start = text.prefix(Difference.maximumReportValue)
        return start.endIndex == text.endIndex ? text : "\(start)…"
    }
}

extension Difference.RuleChange {
    fileprivate var lines: [ReportLine] {
        let (old, new) = (from?.description ?? "", to?.description ?? "")
        switch kind {
        case .added: return [ReportLine(.added, "\(new)  \(after?.line ?? "every URL")")]
        case .removed: return [ReportLine(.removed, "\(old)  \(before?.line ?? "every URL")")]
        case .moved:
            return [ReportLine(.changed, "\(new)  \(after?.line ?? "every URL")  moved from \(old)")] + partLines
        case .changed: return [ReportLine(.changed, "\(new)  changed" + (from == to ? "" : ", was \(old)"))] + partLines
        case .sameMeaning: return [ReportLine(.changed, "\(new)  same meaning, written differently")] + partLines
        }
    }

    private var partLines: [ReportLine] {
        parts.flatMap { ReportLine.pair("    \($0.part.rawValue)", $0.before, $0.after) }
    }
}

extension Difference.EntryChange {
    fileprivate var line: ReportLine {
        let (old, new) = (from?.description ?? "", to?.description ?? "")
        let (oldApps, newApps) = (before.joined(separator: ", "), after.joined(separator: ", "))
        switch kind {
        case .added: return ReportLine(.added, "\(new)  for \(newApps)")
        case .removed: return ReportLine(.removed, "\(old)  for \(oldApps)")
        case .moved: return ReportLine(.changed, "\(new)  for \(newApps), moved from \(old)")
        case .changed: return ReportLine(.changed, "\(new)  for \(newApps), was \(old) for \(oldApps)")
        }
    }
}

extension Difference.AppsChange {
    fileprivate var lines: [ReportLine] {
        removed.map { ReportLine(.removed, $0) } + added.map { ReportLine(.added, $0) }
            + (isReordered ? [ReportLine(.changed, "The order of the apps changes.")] : [])
    }
}

extension Difference.ServiceChange {
    fileprivate var lines: [ReportLine] {
        removed.map { ReportLine(.removed, "\(service): \($0)") }
            + added.map { ReportLine(.added, "\(service): \($0)") }
    }
}

extension Difference.VariableChange {
    /// The values that only one of the two lists has.
    fileprivate var lines: [ReportLine] {
        guard let old = Self.values(before), let new = Self.values(after) else {
            return ReportLine.pair("$(\(name))", before, after)
        }
        let (gone, come) = (old.without(new), new.without(old))
        if gone.isEmpty, come.isEmpty {
            let what = before == nil || after == nil ? "no values" : "the same values in a different order or number"
            let mark: ReportLine.Mark = before == nil ? .added : after == nil ? .removed : .changed
            return [ReportLine(mark, "$(\(name)): \(what)")]
        }
        return [(ReportLine.Mark.removed, gone), (.added, come)].filter { !$0.1.isEmpty }
            .map { ReportLine($0, "$(\(name)): \(Self.listed($1))") }
    }

    /// The list of values. A string counts as one value. `nil` if the value is not a list.
    private static func values(_ value: JSONValue?) -> [JSONValue]? {
        switch value {
        case nil: []
        case .array(let values)?: values
        case .string?: value.map { [$0] }
        default: nil
        }
    }

    private static func listed(_ values: [JSONValue]) -> String {
        let named = values.prefix(Difference.maximumReportValues).map(\.line).joined(separator: ", ")
        let rest = values.count - Difference.maximumReportValues
        return rest > 0 ? "\(named) and \(rest) more" : named
    }
}

extension [JSONValue] {
    fileprivate func without(_ others: [JSONValue]) -> [JSONValue] {
        let known = Set(others)
        return filter { !known.contains($0) }
    }
}

extension Difference.DefaultChange {
    fileprivate var lines: [ReportLine] {
        ReportLine.pair("\((to ?? from)?.description ?? "")/\(key.isEmpty ? "\"\"" : key)", before, after)
    }
}

extension Difference.OutcomeChange {
    fileprivate func lines(namingSystem: Bool) -> [ReportLine] {
        let title = ReportLine(.changed, namingSystem ? "\(url)  (\(system.rawValue))" : url)
        let isChanged = before.outcome != after.outcome || before.app != after.app
        let whole =
            isChanged ? [ReportLine(.removed, "    \(before.line)"), ReportLine(.added, "    \(after.line)")] : []
        // If the file has only one app, this app's verdict is the same as the file's.
        let others = apps.filter { !isChanged || ($0.before, $0.after) != (before, after) }
        let isAll = others.isEmpty || (isChanged && apps.count == 1)
        return [title] + whole
            + (isAll
                ? []
                : others.flatMap {
                    [
                        ReportLine(.removed, "    for \($0.app): \($0.before.line)"),
                        ReportLine(.added, "    for \($0.app): \($0.after.line)"),
                    ]
                })
    }
}

extension Difference.OutcomeChange.Verdict {
    fileprivate var line: String {
        let place = decidedBy.map { ", by \($0)" } ?? ""
        return switch outcome {
        case .opens: "opens \(app ?? "")\(place)"
        case .excluded: "opens in the browser: excluded\(place)"
        case .none: "opens in the browser: no rule matches"
        }
    }
}

extension Evaluation {
    /// A line of an evaluation as text.
    public struct TextLine: Hashable, Sendable {
        /// The meaning of a line, for coloured output.
        public enum Role: Hashable, Sendable {
            /// The evaluated URL.
            case question
            /// A URL or rule that opens an app.
            case opens
            /// An excluded URL, or a rule that excludes.
            case excluded
            /// A part or rule that does not match.
            case fails
            /// A warning.
            case warning
            /// Any other line.
            case plain
        }

        /// The indentation, in steps of two spaces.
        public let depth: Int
        /// The meaning of the line.
        public let role: Role
        /// The text, without the indentation.
        public let text: String
    }

    /// The evaluation as text: the URL, its outcome, the verdict for each app, the trace if requested (nearest miss
    /// first), and the undocumented behaviour that the outcome depends on.
    public var text: [TextLine] {
        var lines = [TextLine(depth: 0, role: .question, text: url), summary]
        if let reason = ineligibility { lines.append(TextLine(depth: 1, role: .plain, text: reason.detail)) }
        if let entitlementDomain {
            lines.append(TextLine(depth: 1, role: .plain, text: "matches the entitlement domain \(entitlementDomain)"))
        }
        for verdict in apps {
            lines.append(verdict.text)
            if let trace = trace?.first(where: { $0.app == verdict.app }) { lines += trace.text }
        }
        if let certainty, certainty > .documented {
            let text = "This result depends on behaviour Apple has not documented (\(certainty.rawValue)):"
            lines.append(TextLine(depth: 1, role: .warning, text: text))
            lines += uncertainties.map { TextLine(depth: 2, role: .plain, text: $0) }
        }
        return lines
    }

    private var summary: TextLine {
        switch outcome {
        case .opens: TextLine(depth: 1, role: .opens, text: "opens \(app ?? "")")
        case .excluded: TextLine(depth: 1, role: .excluded, text: "opens in the browser: a rule excludes it")
        case .none: TextLine(depth: 1, role: .plain, text: "opens in the browser: no rule matches")
        }
    }
}

extension Evaluation.AppVerdict {
    fileprivate var text: Evaluation.TextLine {
        let by = decidedBy.map { " by \($0)" } ?? ""
        return Evaluation.TextLine(depth: 1, role: outcome.role, text: "\(app): \(outcome.rawValue)\(by)")
    }
}

extension Evaluation.Outcome {
    fileprivate var role: Evaluation.TextLine.Role {
        switch self {
        case .opens: .opens
        case .excluded: .excluded
        case .none: .plain
        }
    }
}

extension AppTrace {
    fileprivate var text: [Evaluation.TextLine] {
        var lines: [Evaluation.TextLine] = []
        func add(_ depth: Int, _ role: Evaluation.TextLine.Role, _ text: String) {
            lines.append(Evaluation.TextLine(depth: depth, role: role, text: text))
        }
        if let note { add(2, .plain, note) }
        let nearest = nearestMiss.flatMap { pointer in rules.first { $0.pointer == pointer } }
        if let nearest {
            add(2, .warning, "nearest miss: \(nearest.pointer)")
            lines += nearest.partsText
        }
        for rule in rules where rule.pointer != nearestMiss { lines += rule.text }
        if leftOut > 0 { add(2, .plain, "\(Self.count(leftOut, "more")) tried, but not shown") }
        if notTried > 0 { add(2, .plain, "\(Self.count(notTried, "later")) not tried") }
        return lines
    }

    private static func count(_ count: Int, _ which: String) -> String {
        count == 1 ? "1 \(which) rule was" : "\(count) \(which) rules were"
    }
}

extension RuleTrace {
    fileprivate var text: [Evaluation.TextLine] {
        let word = matches ? (excludes ? "excludes" : "opens") : (excludes ? "does not exclude" : "does not match")
        let role: Evaluation.TextLine.Role = matches ? (excludes ? .excluded : .opens) : .fails
        let said = comment.map { " (\($0))" } ?? ""
        let head = Evaluation.TextLine(depth: 2, role: role, text: "\(pointer) \(word)\(said)")
        return [head] + partsText
    }

    fileprivate var partsText: [Evaluation.TextLine] {
        if parts.isEmpty { return [Evaluation.TextLine(depth: 3, role: .plain, text: summary)] }
        return parts.map { Evaluation.TextLine(depth: 3, role: $0.matches ? .plain : .fails, text: $0.reason) }
    }
}

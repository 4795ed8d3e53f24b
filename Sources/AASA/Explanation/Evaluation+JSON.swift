public import StrictJSON

extension Evaluation {
    /// The evaluation as JSON: `url`, `outcome`, `app`, `apps`, and `reason` if the URL cannot open an app. If
    /// requested, also `certainty` and `uncertainties` (sentences), and `trace`. Also `entitlementDomain` if a domain
    /// applied.
    public var json: JSONValue {
        var object: JSONObject = [
            "url": .string(url), "outcome": .string(outcome.rawValue), "app": .text(app),
            "apps": .array(apps.map(\.json)), "reason": .text(ineligibility?.detail),
        ]
        if let certainty {
            object["certainty"] = .string(certainty.rawValue)
            object["uncertainties"] = .array(uncertainties.map { .string($0) })
        }
        if let entitlementDomain { object["entitlementDomain"] = .string(entitlementDomain) }
        if let trace { object["trace"] = .array(trace.map(\.json)) }
        return .object(object)
    }
}

extension Evaluation.AppVerdict {
    /// The verdict as JSON: `app`, `outcome`, `decidedBy` (a pointer into the file) and, if requested, `certainty` and
    /// `uncertainties`.
    public var json: JSONValue {
        var object: JSONObject = [
            "app": .string(app), "outcome": .string(outcome.rawValue), "decidedBy": .text(decidedBy?.description),
        ]
        if let certainty {
            object["certainty"] = .string(certainty.rawValue)
            object["uncertainties"] = .array(uncertainties.map { .string($0) })
        }
        return .object(object)
    }
}

extension AppTrace {
    /// The trace as JSON: `app`, `entry` (a pointer), `note`, `rules`, `notTried`, `leftOut` (numbers), `nearestMiss`
    /// (a pointer). Missing values are null.
    public var json: JSONValue {
        [
            "app": .string(app), "entry": .string(entry.description), "note": .text(note),
            "rules": .array(rules.map(\.json)), "notTried": .int(notTried), "leftOut": .int(leftOut),
            "nearestMiss": .text(nearestMiss?.description),
        ]
    }
}

extension RuleTrace {
    /// The rule as JSON: `pointer`, `outcome` (`matches` or `fails`), `excludes`, `comment`, `summary`, `parts`.
    public var json: JSONValue {
        [
            "pointer": .string(pointer.description), "outcome": matches ? "matches" : "fails",
            "excludes": .bool(excludes), "comment": .text(comment), "summary": .string(summary),
            "parts": .array(parts.map(\.json)),
        ]
    }
}

extension PartTrace {
    /// The part as JSON: `part` (`path`, `query`, `fragment`), `name`, `pattern`, `compared`, `text`, `variables`
    /// (objects with `name` and `value`), `matches`, `reason`.
    public var json: JSONValue {
        [
            "part": .string(part.rawValue), "name": .text(name), "pattern": .string(pattern),
            "compared": .text(compared), "text": .string(text),
            "variables": .array(variables.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "matches": .bool(matches), "reason": .string(reason),
        ]
    }
}

extension JSONValue {
    /// The text, or null if it is missing.
    fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

public import StrictJSON

extension Difference {
    /// The difference as JSON.
    ///
    /// ```json
    /// {
    ///   "rules": [{"change": "added" | "removed" | "moved" | "changed" | "same_meaning",
    ///              "from": pointer | null, "to": pointer | null, "apps": [app ID],
    ///              "before": rule | null, "after": rule | null, "parts": ["path"],
    ///              "values": [{"part": "path", "before": value | null, "after": value | null}]}],
    ///   "entries": [{"change": "added" | "removed" | "moved" | "changed", "from", "to",
    ///                "before": [app ID], "after": [app ID]}],
    ///   "apps": {"added": [app ID], "removed": [app ID], "reordered": boolean},
    ///   "services": [{"service": name, "added": [app ID], "removed": [app ID]}],
    ///   "variables": [{"name", "before": values | null, "after": values | null}],
    ///   "defaults": [{"from", "to", "key", "before", "after"}],
    ///   "other": [pointer into the file after, or before if it is gone],
    ///   "outcomes": [{"url", "given": boolean, "os": system,
    ///                 "before": {"outcome", "app", "decidedBy"}, "after": {…},
    ///                 "apps": [{"app", "before": {…}, "after": {…}}]}],
    ///   "urls": {"tried": count, "given": count, "changed": count},
    ///   "systems": [system], "isEmpty": boolean, "isTruncated": boolean
    /// }
    /// ```
    public var json: JSONValue {
        [
            "rules": .array(rules.map(\.json)), "entries": .array(entries.map(\.json)), "apps": apps.json,
            "services": .array(services.map(\.json)), "variables": .array(variables.map(\.json)),
            "defaults": .array(defaults.map(\.json)),
            "other": .array(other.map { .pointer($0.to ?? $0.from) }),
            "outcomes": .array(outcomes.map(\.json)),
            "urls": ["tried": .int(urls.tried), "given": .int(urls.given), "changed": .int(urls.changed)],
            "systems": .array(systems.map { .string($0.rawValue) }), "isEmpty": .bool(isEmpty),
            "isTruncated": .bool(isTruncated),
        ]
    }
}

extension Difference.RuleChange {
    fileprivate var json: JSONValue {
        [
            "change": .string(kind.rawValue), "from": .pointer(from), "to": .pointer(to), "apps": .strings(apps),
            "before": before ?? .null, "after": after ?? .null,
            "parts": .strings(parts.map(\.part.rawValue)),
            "values": .array(
                parts.map {
                    ["part": .string($0.part.rawValue), "before": $0.before ?? .null, "after": $0.after ?? .null]
                }),
        ]
    }
}

extension Difference.EntryChange {
    fileprivate var json: JSONValue {
        [
            "change": .string(kind.rawValue), "from": .pointer(from), "to": .pointer(to), "before": .strings(before),
            "after": .strings(after),
        ]
    }
}

extension Difference.AppsChange {
    fileprivate var json: JSONValue {
        ["added": .strings(added), "removed": .strings(removed), "reordered": .bool(isReordered)]
    }
}

extension Difference.ServiceChange {
    fileprivate var json: JSONValue {
        ["service": .string(service), "added": .strings(added), "removed": .strings(removed)]
    }
}

extension Difference.VariableChange {
    fileprivate var json: JSONValue {
        ["name": .string(name), "before": before ?? .null, "after": after ?? .null]
    }
}

extension Difference.DefaultChange {
    fileprivate var json: JSONValue {
        [
            "from": .pointer(from), "to": .pointer(to), "key": .string(key), "before": before ?? .null,
            "after": after ?? .null,
        ]
    }
}

extension Difference.OutcomeChange {
    fileprivate var json: JSONValue {
        [
            "url": .string(url), "given": .bool(isGiven), "os": .string(system.rawValue), "before": before.json,
            "after": after.json,
            "apps": .array(apps.map { ["app": .string($0.app), "before": $0.before.json, "after": $0.after.json] }),
        ]
    }
}

extension Difference.OutcomeChange.Verdict {
    fileprivate var json: JSONValue {
        [
            "outcome": .string(outcome.rawValue), "app": app.map(JSONValue.string) ?? .null,
            "decidedBy": .pointer(decidedBy),
        ]
    }
}

extension JSONValue {
    fileprivate static func pointer(_ pointer: JSONPointer?) -> JSONValue {
        pointer.map { .string($0.description) } ?? .null
    }

    fileprivate static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

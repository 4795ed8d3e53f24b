public import StrictJSON

extension Evaluation {
    /// The answer for programs: `url`, `outcome`, `app`, `apps`, and `reason` for a URL that is not looked at.
    public var json: JSONValue {
        [
            "url": .string(url), "outcome": .string(outcome.rawValue), "app": app.map(JSONValue.string) ?? .null,
            "apps": .array(apps.map(\.json)), "reason": ineligibility.map { .string($0.detail) } ?? .null,
        ]
    }
}

extension Evaluation.AppVerdict {
    /// The verdict for programs: `app`, `outcome`, and `decidedBy`, a pointer into the file.
    public var json: JSONValue {
        [
            "app": .string(app), "outcome": .string(outcome.rawValue),
            "decidedBy": decidedBy.map { .string($0.description) } ?? .null,
        ]
    }
}

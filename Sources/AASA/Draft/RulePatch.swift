public import StrictJSON

/// A new rule as a request describes it.
public struct NewRule: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// The ID of the entry to add it to.
    public let entry: String?
    /// Alternatively, the apps of the entry to add it to.
    public let apps: [String]?
    /// Its position among the entry's rules, from 0.
    public let position: Int?

    /// Reads a rule strictly: `id`, `path`, `query`, `fragment`, `exclude`, `caseSensitive`, `percentEncoded`,
    /// `comment`, `extras`, and where to add it: `entry` or `apps`, `position`. All keys are optional, but a rule without
    /// a pattern needs `"unrestricted": true`.
    ///
    /// - Parameters:
    ///   - json: The rule.
    ///   - pointer: Its place in the document.
    ///   - makeID: Returns a new ID for a rule without one.
    /// - Throws: All faults at once.
    public init(
        json: JSONValue, at pointer: JSONPointer = JSONPointer(), makeID: @escaping () -> String
    ) throws(JSONFaults) {
        self = try JSONObjectReader.decode(json, at: pointer) { reader in
            let id = reader.optional("id", DraftShapes.id) ?? makeID()
            let entry = reader.optional("entry", DraftShapes.id)
            let apps = reader.optional("apps", DraftShapes.apps)
            if apps?.isEmpty == true { reader.fault("apps", "too_short", "must name at least one app") }
            if entry != nil, apps != nil {
                reader.fault("apps", "conflict", "cannot be combined with \"entry\"; send one or the other")
            }
            let position = reader.optional("position", .int(in: 0...Draft.Limits.rules))
            return RuleShapes.sentRule(reader).map {
                NewRule(rule: Rule(id: id, fields: $0), entry: entry, apps: apps, position: position)
            }
        }
    }

    private init(rule: Rule, entry: String?, apps: [String]?, position: Int?) {
        self.rule = rule
        self.entry = entry
        self.apps = apps
        self.position = position
    }
}

/// A partial change of a rule: an absent key keeps the value, `null` clears it, a value sets it.
public struct RulePatch: Sendable, Hashable {
    /// The change of the path pattern.
    public var path: Change<String> = .keep
    /// The change of the query pattern.
    public var query: Change<RuleFields.Query> = .keep
    /// The change of the fragment pattern.
    public var fragment: Change<String> = .keep
    /// The change of `exclude`.
    public var exclude: Change<Bool> = .keep
    /// The change of `caseSensitive`.
    public var caseSensitive: Change<Bool> = .keep
    /// The change of `percentEncoded`.
    public var percentEncoded: Change<Bool> = .keep
    /// The change of the comment.
    public var comment: Change<String> = .keep
    /// The change of the unknown keys, all together.
    public var extras: Change<JSONObject> = .keep
    /// Confirms that the rule will have no pattern.
    public var isUnrestricted = false
    /// The entry to move the rule to; nil keeps its entry.
    public var entry: String?
    /// The position to move the rule to, from 0; nil keeps its position, or with `entry` moves it to the end.
    public var position: Int?

    /// A patch that changes nothing.
    public init() {}

    /// Reads a patch strictly: the keys of a rule except `id`, and `entry` and `position`.
    ///
    /// - Throws: All faults at once.
    public init(json: JSONValue, at pointer: JSONPointer = JSONPointer()) throws(JSONFaults) {
        self = try JSONObjectReader.decode(json, at: pointer) { reader in
            var patch = RulePatch()
            patch.path = reader.change("path", RuleShapes.text)
            patch.query = reader.change("query", RuleShapes.query)
            patch.fragment = reader.change("fragment", RuleShapes.text)
            patch.exclude = reader.change("exclude", .bool)
            patch.caseSensitive = reader.change("caseSensitive", .bool)
            patch.percentEncoded = reader.change("percentEncoded", .bool)
            patch.comment = reader.change("comment", RuleShapes.text)
            patch.extras = reader.change("extras", RuleShapes.extras)
            patch.isUnrestricted = reader.optional("unrestricted", .bool) ?? false
            patch.entry = reader.replacement("entry", DraftShapes.id)
            patch.position = reader.replacement("position", .int(in: 0...Draft.Limits.rules))
            return patch
        }
    }
}

extension Rule {
    /// The rule after a patch, without `entry` and `position`, which the draft applies.
    public func applying(_ patch: RulePatch) -> Rule {
        var rule = self
        rule.path = patch.path.applied(to: self.path)
        rule.query = patch.query.applied(to: self.query)
        rule.fragment = patch.fragment.applied(to: self.fragment)
        rule.exclude = patch.exclude.applied(to: self.exclude)
        rule.caseSensitive = patch.caseSensitive.applied(to: self.caseSensitive)
        rule.percentEncoded = patch.percentEncoded.applied(to: self.percentEncoded)
        rule.comment = patch.comment.applied(to: self.comment)
        rule.extras = patch.extras.applied(to: self.extras, clearedTo: [:])
        return rule
    }
}

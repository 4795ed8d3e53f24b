public import StrictJSON

/// A new rule in a request.
public struct NewRule: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// The ID of the rule's entry.
    public let entry: String?
    /// The apps of the rule's entry, for a request without the entry's ID.
    public let apps: [String]?
    /// The rule's position among the entry's rules, from 0.
    public let position: Int?

    /// Reads a new rule from JSON. The keys are `id`, `path`, `query`, `fragment`, `exclude`, `caseSensitive`,
    /// `percentEncoded`, `comment`, `extras`, `entry` or `apps`, and `position`. All keys are optional, but a rule
    /// without a pattern needs `"unrestricted": true`. Rejects unknown keys.
    ///
    /// - Parameters:
    ///   - json: The rule.
    ///   - pointer: The rule's place in the document.
    ///   - makeID: Returns a new ID for a rule without one.
    /// - Throws: ``JSONFaults`` with all faults.
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

/// A partial change of a rule. An absent key keeps the current value, and `null` removes it.
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
    /// The change of the unknown keys. It applies to all of them together.
    public var extras: Change<JSONObject> = .keep
    /// Confirms that the rule will have no pattern.
    public var isUnrestricted = false
    /// The entry to move the rule to. If `nil`, the rule stays in its entry.
    public var entry: String?
    /// The position to move the rule to, from 0. If `nil`, the rule keeps its position; in a new entry, it goes to the
    /// end.
    public var position: Int?

    /// Creates a patch that changes nothing.
    public init() {}

    /// Reads a patch from JSON. The keys are `entry`, `position`, and those of a rule except `id`. Rejects unknown
    /// keys.
    ///
    /// - Throws: ``JSONFaults`` with all faults.
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
    /// Returns the rule with the patch applied, except `entry` and `position`. The draft applies these.
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

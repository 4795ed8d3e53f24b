public import StrictJSON

/// A new rule as a request describes it.
public struct NewRule: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// The ID of the entry to put it into.
    public let entry: String?
    /// In its place, the apps that the entry is for.
    public let apps: [String]?
    /// Its place among the entry's rules, from 0.
    public let position: Int?

    /// Reads a rule strictly: `id`, `path`, `query`, `fragment`, `exclude`, `caseSensitive`, `percentEncoded`,
    /// `comment`, `extras`, and where to put it: `entry` or `apps`, `position`. All may lack but a pattern, in whose
    /// place `"unrestricted": true` says that none is meant.
    ///
    /// - Parameters:
    ///   - json: The rule.
    ///   - pointer: Where it stands in its document.
    ///   - makeID: Gives the rule an ID if it has none.
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
                reader.fault("apps", "conflict", "names an entry, as \"entry\" does; send one or the other")
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

/// A partial change of a rule: a key that is absent keeps, `null` clears, a value sets.
public struct RulePatch: Sendable, Hashable {
    /// What becomes of the path pattern.
    public var path: Change<String> = .keep
    /// What becomes of the query pattern.
    public var query: Change<RuleFields.Query> = .keep
    /// What becomes of the fragment pattern.
    public var fragment: Change<String> = .keep
    /// What becomes of `exclude`.
    public var exclude: Change<Bool> = .keep
    /// What becomes of `caseSensitive`.
    public var caseSensitive: Change<Bool> = .keep
    /// What becomes of `percentEncoded`.
    public var percentEncoded: Change<Bool> = .keep
    /// What becomes of the comment.
    public var comment: Change<String> = .keep
    /// What becomes of the unknown keys, all together.
    public var extras: Change<JSONObject> = .keep
    /// Says that the rule is meant to have no pattern afterwards.
    public var isUnrestricted = false
    /// The entry to move the rule to; nil leaves it where it is.
    public var entry: String?
    /// The place to move the rule to, from 0; nil leaves it, or with `entry` puts it at the end.
    public var position: Int?

    /// A patch that changes nothing.
    public init() {}

    /// Reads a patch strictly: the keys of a rule but `id`, with `entry` and `position`.
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
    /// The rule after a patch; `entry` and `position` are the draft's business.
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

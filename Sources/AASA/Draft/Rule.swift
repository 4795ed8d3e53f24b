public import StrictJSON

/// What a rule compares and how: the keys of a component under plain names. `defaults` have the same.
public struct RuleFields: Sendable {
    /// The pattern of `?`.
    public enum Query: Sendable {
        /// A pattern for the whole query.
        case whole(String)
        /// A pattern for each named item; names are told apart by their bytes.
        case items([(name: String, pattern: String)])
    }

    /// The path pattern (`/`); nil for any path.
    public var path: String?
    /// The query pattern (`?`); nil for any query.
    public var query: Query?
    /// The fragment pattern (`#`); nil for any fragment.
    public var fragment: String?
    /// Whether matching URLs stay on the web; nil for what `defaults` say, else no.
    public var exclude: Bool?
    /// Whether letters are compared as they are; nil for what `defaults` say, else yes.
    public var caseSensitive: Bool?
    /// Whether URLs are compared as written; nil for what `defaults` say, else yes.
    public var percentEncoded: Bool?
    /// A note for people; in the file only if the draft publishes comments.
    public var comment: String?
    /// Keys that Waymark does not know, kept for the file.
    public var extras: JSONObject

    /// Fields; all absent unless given.
    public init(
        path: String? = nil, query: Query? = nil, fragment: String? = nil, exclude: Bool? = nil,
        caseSensitive: Bool? = nil, percentEncoded: Bool? = nil, comment: String? = nil, extras: JSONObject = [:]
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.exclude = exclude
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        self.comment = comment
        self.extras = extras
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { members.isEmpty }

    /// Whether there is no pattern: a rule like this matches every URL, unless `defaults` have one.
    public var isUnrestricted: Bool {
        if case .items(let items) = query { return path == nil && fragment == nil && items.isEmpty }
        return path == nil && fragment == nil && query == nil
    }
}

/// One rule of a draft: an ID that never changes, and what it says.
@dynamicMemberLookup
public struct Rule: Sendable {
    /// 1 to 64 characters of `[A-Za-z0-9_-]`, unique in the draft.
    public let id: String
    /// What the rule says.
    public var fields: RuleFields

    /// A rule.
    public init(id: String, fields: RuleFields = RuleFields()) {
        self.id = id
        self.fields = fields
    }

    /// The rule's fields under their own names: `rule.path`.
    public subscript<Value>(dynamicMember field: WritableKeyPath<RuleFields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }
}

extension RuleFields {
    /// The fields in a draft's JSON; what is absent is left out.
    var members: JSONObject {
        var object = JSONObject()
        object["path"] = path.map { .string($0) }
        object["query"] = query?.json
        object["fragment"] = fragment.map { .string($0) }
        object["exclude"] = exclude.map { .bool($0) }
        object["caseSensitive"] = caseSensitive.map { .bool($0) }
        object["percentEncoded"] = percentEncoded.map { .bool($0) }
        object["comment"] = comment.map { .string($0) }
        object["extras"] = extras.isEmpty ? nil : .object(extras)
        return object
    }

    /// The fields as a component of the file.
    func component(withComment: Bool) -> JSONObject {
        var object = extras
        object["/"] = path.map { .string($0) }
        object["?"] = query?.json
        object["#"] = fragment.map { .string($0) }
        object["exclude"] = exclude.map { .bool($0) }
        object["caseSensitive"] = caseSensitive.map { .bool($0) }
        object["percentEncoded"] = percentEncoded.map { .bool($0) }
        object["comment"] = withComment ? comment.map { .string($0) } : nil
        return object
    }
}

extension RuleFields.Query {
    /// The query as the file and the draft both write it: a string or an object, names in the order of their bytes.
    var json: JSONValue {
        switch self {
        case .whole(let pattern): .string(pattern)
        case .items(let items): .object(JSONObject(items.map { ($0.name, .string($0.pattern)) }).sorted())
        }
    }
}

extension Rule {
    /// The rule in a draft's JSON. A rule without a pattern says so, and can therefore be sent back as it is.
    public var json: JSONValue {
        var object: JSONObject = ["id": .string(id)]
        object["unrestricted"] = fields.isUnrestricted ? true : nil
        for member in fields.members.members { object[member.name] = member.value }
        return .object(object)
    }
}

/// Equal when they say the same, byte for byte.
extension RuleFields: Hashable {
    /// Whether both say the same, byte for byte.
    public static func == (left: RuleFields, right: RuleFields) -> Bool { left.members == right.members }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension RuleFields.Query: Hashable {
    /// Whether both say the same, byte for byte.
    public static func == (left: RuleFields.Query, right: RuleFields.Query) -> Bool { left.json == right.json }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension Rule: Hashable {
    /// Whether both say the same, byte for byte.
    public static func == (left: Rule, right: Rule) -> Bool { left.json == right.json }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

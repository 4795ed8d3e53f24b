public import StrictJSON

/// The fields of a rule or of `defaults`: the keys of a component with plain names.
public struct RuleFields: Sendable {
    /// The pattern of `?`.
    public enum Query: Sendable {
        /// A pattern for the whole query.
        case whole(String)
        /// A pattern for each named item. Names are compared by their bytes.
        case items([(name: String, pattern: String)])
    }

    /// The path pattern (`/`), or `nil` for any path.
    public var path: String?
    /// The query pattern (`?`), or `nil` for any query.
    public var query: Query?
    /// The fragment pattern (`#`), or `nil` for any fragment.
    public var fragment: String?
    /// Whether matching URLs open in the browser instead of an app. If `nil`, `defaults` decide; the default is false.
    public var exclude: Bool?
    /// Whether matching is case-sensitive. If `nil`, `defaults` decide; the default is true.
    public var caseSensitive: Bool?
    /// Whether patterns are compared with the URL's text as written, without decoding `%` escapes. If `nil`, `defaults`
    /// decide; the default is true.
    public var percentEncoded: Bool?
    /// A note for people. It is in the file only if the draft publishes comments.
    public var comment: String?
    /// Keys that Waymark does not know. They are copied to the generated file.
    public var extras: JSONObject

    /// Creates fields. By default all are absent.
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

    /// The patterns in one line, in the form of a URL: `/help/*?article=????#top`. Empty for a rule without patterns.
    public var patterns: String {
        let query: String? =
            switch query {
            case .whole(let pattern): pattern
            case .items(let items): items.map { "\($0.name)=\($0.pattern)" }.joined(separator: "&")
            case nil: nil
            }
        return (path ?? "") + (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    }

    /// Whether no field has a value.
    public var isEmpty: Bool { members.isEmpty }

    /// Whether the rule has no pattern. Such a rule matches every URL, unless `defaults` have a pattern.
    public var isUnrestricted: Bool {
        if case .items(let items) = query { return path == nil && fragment == nil && items.isEmpty }
        return path == nil && fragment == nil && query == nil
    }
}

/// A rule of a draft: an ID that never changes, and fields.
@dynamicMemberLookup
public struct Rule: Sendable {
    /// 1 to 64 characters of `[A-Za-z0-9_-]`, unique in the draft.
    public let id: String
    /// The rule's fields.
    public var fields: RuleFields

    /// Creates a rule.
    public init(id: String, fields: RuleFields = RuleFields()) {
        self.id = id
        self.fields = fields
    }

    /// Gives access to the fields by name: `rule.path`.
    public subscript<Value>(dynamicMember field: WritableKeyPath<RuleFields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }
}

extension RuleFields {
    /// The fields in a draft's JSON. Absent fields are left out.
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

    /// The fields in the file: a component.
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
    /// The query in the file and in a draft's JSON: a string, or an object with its names in byte order.
    var json: JSONValue {
        switch self {
        case .whole(let pattern): .string(pattern)
        case .items(let items): .object(JSONObject(items.map { ($0.name, .string($0.pattern)) }).sorted())
        }
    }
}

extension Rule {
    /// The rule in a draft's JSON. A rule without a pattern has `"unrestricted": true`, so a client can send it back
    /// unchanged.
    public var json: JSONValue {
        var object: JSONObject = ["id": .string(id)]
        object["unrestricted"] = fields.isUnrestricted ? true : nil
        for member in fields.members.members { object[member.name] = member.value }
        return .object(object)
    }
}

/// Two rules or fields are equal if all their texts are the same, byte for byte.
extension RuleFields: Hashable {
    /// Whether all texts are the same, byte for byte.
    public static func == (left: RuleFields, right: RuleFields) -> Bool { left.members == right.members }
    /// Hashes the same bytes that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension RuleFields.Query: Hashable {
    /// Whether all texts are the same, byte for byte.
    public static func == (left: RuleFields.Query, right: RuleFields.Query) -> Bool { left.json == right.json }
    /// Hashes the same bytes that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension Rule: Hashable {
    /// Whether all texts are the same, byte for byte.
    public static func == (left: Rule, right: Rule) -> Bool { left.json == right.json }
    /// Hashes the same bytes that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

public import StrictJSON

extension Draft {
    /// What a draft may hold at most; Apple's limit of 131,072 bytes is far below what these allow.
    public enum Limits {
        /// Entries of a draft.
        public static let entries = 1_000
        /// Rules of a draft, all entries together.
        public static let rules = 10_000
        /// Characters of a pattern, a comment, a name or a value.
        public static let text = 4_096
        /// App IDs of an entry or a service.
        public static let apps = 1_000
        /// Substitution variables, services, items of a query, and values of a variable.
        public static let list = 1_000
        /// Bytes of one object of unknown keys, written compactly.
        public static let extras = 65_536
    }

    /// Reads a draft strictly.
    ///
    /// - Parameters:
    ///   - json: The draft. `entries` may lack; IDs may lack anywhere; `revision` is allowed and ignored, so that what
    ///     was read can be sent back.
    ///   - pointer: Where it stands in its document.
    ///   - isSent: Whether somebody sends it: a rule without a pattern must then say `"unrestricted": true`. What was
    ///     stored or imported may hold any rule.
    ///   - makeID: Gives an ID to every entry and rule without one.
    /// - Throws: All faults at once.
    public init(
        json: JSONValue, at pointer: JSONPointer = JSONPointer(), isSent: Bool = false,
        makeID: @escaping () -> String
    ) throws(JSONFaults) {
        let reading = DraftReading(isSent: isSent, makeID: makeID)
        self = try JSONObjectReader.decode(json, at: pointer) { reading.draft($0) }
    }

    /// The draft as JSON, without its revision: `entries`, `defaults`, `substitutionVariables`, `services`,
    /// `compatibility`, `publishComments`, `extras`.
    public var json: JSONValue {
        [
            "entries": .array(entries.map(\.json)),
            "defaults": .object(defaults.members),
            "substitutionVariables": .object(Self.object(substitutionVariables)),
            "services": .object(Self.object(services)),
            "compatibility": .string(compatibility.rawValue),
            "publishComments": .bool(publishComments),
            "extras": .object(extras),
        ]
    }

    /// The lists as an object, names in the order of their bytes.
    static func object(_ lists: [StringList]) -> JSONObject {
        JSONObject(lists.map { ($0.name, .array($0.values.map { .string($0) })) }).sorted()
    }
}

extension Draft.Entry {
    /// The entry in a draft's JSON.
    public var json: JSONValue {
        [
            "id": .string(id),
            "apps": .array(apps.map { .string($0) }),
            "rules": rules.map { .array($0.map(\.json)) } ?? .null,
            "defaults": .object(defaults.members),
            "extras": .object(extras),
        ]
    }
}

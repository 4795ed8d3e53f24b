public import StrictJSON

extension Draft {
    /// The limits of a draft. They allow far more than the 131,072 bytes of Apple's limit for a file.
    public enum Limits {
        /// The maximum number of entries.
        public static let entries = 1_000
        /// The maximum number of rules in all entries together.
        public static let rules = 10_000
        /// The maximum number of characters of a pattern, a comment, a name or a value.
        public static let text = 4_096
        /// The maximum number of app IDs of an entry or a service.
        public static let apps = 1_000
        /// The maximum number of substitution variables, services, items of a query, and values of a variable.
        public static let list = 1_000
        /// The maximum size in bytes of one `extras` object, in compact form.
        public static let extras = 65_536
    }

    /// Reads a draft from JSON. Rejects unknown keys.
    ///
    /// - Parameters:
    ///   - json: The draft. `entries` and all IDs are optional. `revision` is ignored, so a client can send a draft
    ///     back as it was read.
    ///   - pointer: The draft's place in its document.
    ///   - isSent: Whether the draft comes from a client. A client must confirm a rule without a pattern with
    ///     `"unrestricted": true`. A stored or imported draft can have any rule.
    ///   - makeID: Returns the ID for an entry or a rule without one.
    /// - Throws: ``JSONFaults`` with all faults.
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

    /// The lists as one object. The names are in byte order.
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

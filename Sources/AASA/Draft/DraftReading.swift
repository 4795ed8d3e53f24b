import StrictJSON

/// Reads a draft's JSON field by field. Checks that IDs are unique and that the draft does not have too many rules.
final class DraftReading {
    private let makeID: () -> String
    private let isSent: Bool
    private var ids: Set<[UInt8]> = []
    private var givenIDs: Set<[UInt8]> = []
    private var ruleCount = 0

    /// - Parameter isSent: Whether the JSON comes from a request, not from storage or an import.
    init(isSent: Bool, makeID: @escaping () -> String) {
        self.isSent = isSent
        self.makeID = makeID
    }

    func draft(_ reader: JSONObjectReader) -> Draft? {
        _ = reader.value("revision")
        collectIDs(reader.object["entries"])
        let entries = reader.optional("entries", .array(of: entry, max: Draft.Limits.entries), default: [])
        let draft = Draft(
            entries: entries,
            defaults: reader.optional("defaults", RuleShapes.defaults, default: RuleFields()),
            substitutionVariables: reader.optional("substitutionVariables", Self.variables, default: []),
            services: reader.optional("services", Self.services, default: []),
            compatibility: reader.optional("compatibility", Self.compatibility, default: .ios13),
            publishComments: reader.optional("publishComments", .bool, default: false),
            extras: reader.optional("extras", Self.rootExtras, default: [:]))
        if ruleCount > Draft.Limits.rules {
            reader.fault("entries", "too_many", "have \(ruleCount) rules; at most \(Draft.Limits.rules) are allowed")
        }
        for service in draft.services where draft.extras[service.name] != nil {
            reader.fault("extras", "reserved_key", "\"\(service.name)\" is already one of the services")
        }
        return draft
    }

    private var entry: JSONShape<Draft.Entry> {
        .object { [self] reader in
            let id = id(reader)
            let apps = reader.required("apps", DraftShapes.apps)
            let rules = reader.optional("rules", .array(of: rule, max: Draft.Limits.rules))
            if !reader.has("rules") {
                reader.fault("rules", "required", "\"rules\" is required: an array, or null to open every URL")
            }
            ruleCount += rules?.count ?? 0
            let defaults = reader.optional("defaults", RuleShapes.defaults, default: RuleFields())
            let extras = reader.optional("extras", DraftShapes.extras(reserved: DraftShapes.entryKeys), default: [:])
            return apps.map { Draft.Entry(id: id, apps: $0, rules: rules, defaults: defaults, extras: extras) }
        }
    }

    private var rule: JSONShape<Rule> {
        .object { [self] reader in
            let id = id(reader)
            _ = reader.has("unrestricted")
            let fields = isSent ? RuleShapes.sentRule(reader) : RuleShapes.fields(reader)
            return fields.map { Rule(id: id, fields: $0) }
        }
    }

    /// Collects all given IDs, so that new IDs differ from them.
    private func collectIDs(_ entries: JSONValue?) {
        for entry in entries?.array ?? [] {
            for object in [entry] + (entry["rules"]?.array ?? []) {
                if let id = object["id"]?.string { givenIDs.insert(Array(id.utf8)) }
            }
        }
    }

    /// The object's ID, or a new one.
    private func id(_ reader: JSONObjectReader) -> String {
        guard let id = reader.optional("id", DraftShapes.id) else { return newID() }
        if !ids.insert(Array(id.utf8)).inserted {
            reader.fault("id", "duplicate_id", "\"\(id)\" is used twice in this draft")
        }
        return id
    }

    private func newID() -> String {
        var id = makeID()
        // IDs are random, so a few tries are enough.
        for _ in 0..<8 where givenIDs.contains(Array(id.utf8)) || ids.contains(Array(id.utf8)) { id = makeID() }
        ids.insert(Array(id.utf8))
        return id
    }

    private static var compatibility: JSONShape<Draft.Compatibility> {
        JSONShape<String>.text().then { text throws(DraftFault) in
            if let known = Draft.Compatibility(rawValue: text) { return known }
            throw DraftFault(code: "invalid_choice", detail: "must be \"ios9\" or \"ios13\"")
        }
    }

    private static var variables: JSONShape<[Draft.StringList]> {
        DraftShapes.lists(of: .array(of: .text(max: Draft.Limits.text), max: Draft.Limits.list), reserved: [:])
    }

    private static var services: JSONShape<[Draft.StringList]> {
        DraftShapes.lists(
            of: DraftShapes.apps, reserved: ["applinks": "\"applinks\" is generated from the entries; remove it here"])
    }

    private static var rootExtras: JSONShape<JSONObject> {
        DraftShapes.extras(reserved: []).then { extras throws(DraftFault) in
            guard let applinks = extras["applinks"] else { return extras }
            guard let object = applinks.object else {
                throw DraftFault(
                    code: "wrong_type", detail: "\"applinks\" must be an object with keys to add to \"applinks\"")
            }
            if let known = object.names.first(where: { DraftShapes.applinksKeys.contains($0) }) {
                throw DraftFault(code: "reserved_key", detail: "\"\(known)\" of applinks is generated from the draft")
            }
            return extras
        }
    }
}

/// The reason why a value in a draft is not valid.
struct DraftFault: JSONFaultReason {
    let code: String
    let detail: String
}

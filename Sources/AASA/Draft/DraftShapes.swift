import StrictJSON

/// The JSON shapes of a draft's values.
enum DraftShapes {
    static let entryKeys: Set<String> = ["appIDs", "appID", "components", "paths", "defaults"]
    static let componentKeys = Set(ComponentKey.allCases.map(\.rawValue))
    static let applinksKeys: Set<String> = ["apps", "details", "defaults", "substitutionVariables"]

    /// The ID of an entry or a rule: 1 to 64 characters of `[A-Za-z0-9_-]`.
    static var id: JSONShape<String> {
        JSONShape<String>.text().then { text throws(DraftFault) in
            let isPlain = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
            guard isPlain, (1...64).contains(text.utf8.count) else {
                throw DraftFault(code: "invalid_id", detail: "must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
            }
            return text
        }
    }

    /// App IDs as text, at most 255 bytes each. An imported draft can contain invalid app IDs; lint reports them.
    static var apps: JSONShape<[String]> {
        .array(
            of: JSONShape<String>.text(min: 1, max: AppID.maximumLength).then { text throws(DraftFault) in
                guard text.utf8.count <= AppID.maximumLength else {
                    throw DraftFault(code: "too_long", detail: "has more than \(AppID.maximumLength) bytes")
                }
                return text
            }, max: Draft.Limits.apps)
    }

    /// An object that maps names to lists of strings.
    static func lists(of values: JSONShape<[String]>, reserved: [String: String]) -> JSONShape<[Draft.StringList]> {
        JSONShape { value, pointer, faults in
            guard let object = JSONShape.anyObject.read(value, at: pointer, faults) else { return nil }
            if object.count > Draft.Limits.list {
                faults.add(pointer, "too_many", "has \(object.count) names; at most \(Draft.Limits.list) are allowed")
                return nil
            }
            return object.members.compactMap { member in
                let place = pointer.appending(member.name)
                if let reason = reserved[member.name] { faults.add(place, "reserved_key", reason) }
                if member.name.unicodeScalars.count > Draft.Limits.text {
                    faults.add(place, "too_long", "the name has more than \(Draft.Limits.text) characters")
                }
                return values.read(member.value, at: place, faults).map {
                    Draft.StringList(name: member.name, values: $0)
                }
            }
        }
    }

    /// Unknown keys with any values. Known keys are rejected, because they have their own fields.
    static func extras(reserved: Set<String>) -> JSONShape<JSONObject> {
        JSONShape.anyObject.then { object throws(DraftFault) in
            if let known = object.names.first(where: reserved.contains) {
                throw DraftFault(code: "reserved_key", detail: "\"\(known)\" has its own field")
            }
            let size = JSONValue.object(object).bytes().count
            guard size <= Draft.Limits.extras else {
                throw DraftFault(
                    code: "too_long", detail: "has \(size) bytes; at most \(Draft.Limits.extras) are allowed")
            }
            return object
        }
    }
}

/// The JSON shapes of a rule's fields.
enum RuleShapes {
    static var text: JSONShape<String> { .text(max: Draft.Limits.text) }
    static var extras: JSONShape<JSONObject> { DraftShapes.extras(reserved: DraftShapes.componentKeys) }

    /// A string, or an object that maps names to strings.
    static var query: JSONShape<RuleFields.Query> {
        JSONShape { value, pointer, faults in
            switch value {
            case .string: return text.read(value, at: pointer, faults).map { .whole($0) }
            case .object(let object):
                if object.count > Draft.Limits.list {
                    faults.add(
                        pointer, "too_many", "has \(object.count) items; at most \(Draft.Limits.list) are allowed")
                    return nil
                }
                let items = object.members.compactMap { member in
                    text.read(member.value, at: pointer.appending(member.name), faults).map { (member.name, $0) }
                }
                return .items(items)
            default:
                faults.add(pointer, "wrong_type", "must be a string or an object, not \(value.typeName)")
                return nil
            }
        }
    }

    static var defaults: JSONShape<RuleFields> { .object { fields($0) } }

    /// The fields of a rule in a request. `null` counts as absent, and a rule without a pattern matches every URL. The
    /// request must confirm such a rule. Otherwise a client that sends `null` for unset fields could open a whole
    /// domain by accident.
    static func sentRule(_ reader: JSONObjectReader) -> RuleFields? {
        let saysUnrestricted = reader.optional("unrestricted", .bool) ?? false
        let isUnrestricted = ["path", "query", "fragment"].allSatisfy { key in
            reader.object[key].map { $0.isNull || $0.object?.isEmpty == true } ?? true
        }
        if isUnrestricted, !saysUnrestricted { reader.fault(at: "path", DraftError.unrestricted) }
        if !isUnrestricted, saysUnrestricted { reader.fault(at: "unrestricted", DraftError.restricted) }
        return fields(reader)
    }

    /// The fields of a rule. The caller reads the other keys.
    static func fields(_ reader: JSONObjectReader) -> RuleFields? {
        RuleFields(
            path: reader.optional("path", text),
            query: reader.optional("query", query),
            fragment: reader.optional("fragment", text),
            exclude: reader.optional("exclude", .bool),
            caseSensitive: reader.optional("caseSensitive", .bool),
            percentEncoded: reader.optional("percentEncoded", .bool),
            comment: reader.optional("comment", text),
            extras: reader.optional("extras", extras) ?? [:])
    }
}

extension JSONObjectReader {
    fileprivate func fault(at key: String, _ reason: DraftError) { fault(key, reason.code, reason.detail) }
}

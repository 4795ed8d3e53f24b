import AASA
import Hex
import StrictJSON

/// What a change of a draft added, changed and removed, for the audit trail.
///
/// Each change is an object with the `rule`, the `entry` or the `setting` that it concerns, its `value` after the change,
/// and its value `before`. What was added has no `before`, and what was removed no `value`. A long value has its `sha256`
/// and its length in `bytes` instead, so that it cannot take the room of the others.
struct DraftChanges {
    /// The maximum length of the listed changes as JSON, in bytes. Further changes are only counted.
    static let maximumSize = 8_192
    /// The maximum length of a value as JSON, in bytes.
    static let maximumValue = 1_024

    /// The changes: first of the rules, then of the entries, then of the settings.
    private(set) var listed: [JSONValue] = []
    /// The number of changes that had no room.
    private(set) var omitted = 0
    private var size = 0

    init(from old: Draft, to new: Draft) {
        let (before, after) = (old.parts, new.parts)
        let values = Dictionary(before.map { ($0.key, $0.value) }) { first, _ in first }
        let kept = Set(after.map(\.key))
        for kind in Draft.PartKey.Kind.allCases {
            for part in after where part.key.kind == kind && values[part.key] != part.value {
                list(part.key, value: part.value, before: values[part.key])
            }
            for part in before where part.key.kind == kind && !kept.contains(part.key) {
                list(part.key, value: nil, before: part.value)
            }
        }
        for (key, value, old) in new.movedOrders(from: old) { list(key, value: value, before: old) }
    }

    private mutating func list(_ key: Draft.PartKey, value: JSONValue?, before: JSONValue?) {
        var change: JSONObject = [key.kind.rawValue: .string(key.name)]
        change["value"] = value.map(Self.short)
        change["before"] = before.map(Self.short)
        let json = JSONValue.object(change)
        let length = json.bytes().count
        guard size + length <= Self.maximumSize else { return omitted += 1 }
        size += length
        listed.append(json)
    }

    private static func short(_ value: JSONValue) -> JSONValue {
        let bytes = value.bytes()
        guard bytes.count > maximumValue else { return value }
        return ["sha256": .string(Hexadecimal.encode(digest(bytes))), "bytes": .int(bytes.count)]
    }
}

extension JSONObject {
    /// Adds the changes of a draft, if there are any.
    mutating func add(_ changes: DraftChanges) {
        if !changes.listed.isEmpty { self["changes"] = .array(changes.listed) }
        if changes.omitted > 0 { self["omitted"] = .int(changes.omitted) }
    }
}

extension Draft {
    /// A part of a draft whose changes are told apart.
    fileprivate struct PartKey: Hashable {
        enum Kind: String, CaseIterable {
            case rule, entry, setting
        }

        let kind: Kind
        let name: String

        init(_ kind: Kind, _ name: String) {
            self.kind = kind
            self.name = name
        }
    }

    /// The settings, and the entries and rules in order. A rule names its entry. An entry is without its rules.
    fileprivate var parts: [(key: PartKey, value: JSONValue)] {
        var whole = JSONObject()
        for member in json.object?.members ?? [] where member.name != "entries" { whole[member.name] = member.value }
        return whole.members.map { (PartKey(.setting, $0.name), $0.value) }
            + entries.flatMap { entry in
                [(PartKey(.entry, entry.id), entry.withoutRules)]
                    + (entry.rules ?? []).map { rule in
                        var object = rule.json.object ?? JSONObject()
                        object["id"] = nil
                        object["entry"] = .string(entry.id)
                        return (PartKey(.rule, rule.id), .object(object))
                    }
            }
    }

    /// The orders that changed, without regard to what was added or removed: of the entries, and of each entry's rules.
    /// Each is from the first to the last ID with another place.
    fileprivate func movedOrders(from old: Draft) -> [(key: PartKey, value: JSONValue, before: JSONValue)] {
        func moved(_ key: PartKey, _ before: [String], _ after: [String]) -> [(PartKey, JSONValue, JSONValue)] {
            let (had, has) = (Set(before), Set(after))
            let (before, after) = (before.filter(has.contains), after.filter(had.contains))
            let places = before.indices.filter { before[$0] != after[$0] }
            guard let first = places.first, let last = places.last else { return [] }
            return [(key, order(after[first...last]), order(before[first...last]))]
        }
        func order(_ ids: ArraySlice<String>) -> JSONValue { ["order": .array(ids.map { .string($0) })] }
        let olds = Dictionary(old.entries.map { ($0.id, $0.rules ?? []) }) { first, _ in first }
        return moved(PartKey(.setting, "entries"), old.entries.map(\.id), entries.map(\.id))
            + entries.flatMap { entry in
                moved(PartKey(.entry, entry.id), (olds[entry.id] ?? []).map(\.id), (entry.rules ?? []).map(\.id))
            }
    }
}

extension Draft.Entry {
    /// The entry's JSON without the rules themselves. `"rules": null` stays, because then every URL opens.
    fileprivate var withoutRules: JSONValue {
        var object = json.object ?? JSONObject()
        object["id"] = nil
        if rules != nil { object["rules"] = nil }
        return .object(object)
    }
}

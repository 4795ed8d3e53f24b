import StrictJSON

extension FileComparison {
    /// Compares a top-level key other than `applinks`: a service with its apps, or any other value.
    mutating func compareService(_ name: String) {
        let pointer = JSONPointer(tokens: [name])
        let (old, new) = (before.root[name], after.root[name])
        if old == new { return }
        let oldApps = old?["apps"]?.array?.compactMap(\.string) ?? []
        let newApps = new?["apps"]?.array?.compactMap(\.string) ?? []
        let change = Difference.ServiceChange(
            service: name, added: newApps.without(oldApps), removed: oldApps.without(newApps))
        let appsDiffer = !change.added.isEmpty || !change.removed.isEmpty
        if appsDiffer { difference.services.append(change) }
        guard case .object(let oldObject)? = old ?? (appsDiffer ? [:] : nil),
            case .object(let newObject)? = new ?? (appsDiffer ? [:] : nil)
        else {
            difference.other += TreeComparison.changes(old, new, from: pointer, to: pointer)
            return
        }
        addOther(oldObject, newObject, from: pointer, to: pointer) { $0 == "apps" && appsDiffer }
    }

    mutating func compareVariables() {
        let old = before.applinks?["substitutionVariables"]?.object ?? [:]
        let new = after.applinks?["substitutionVariables"]?.object ?? [:]
        let place = JSONPointer(tokens: ["applinks", "substitutionVariables"])
        for name in TreeComparison.names(old, new) where old[name] != new[name] {
            // "A plain string instead of an array is accepted as one value" [REP], so only the values are compared.
            if let values = VariableTable.values(old[name]), values == VariableTable.values(new[name]) {
                let pointer = place.appending(name)
                difference.other.append(Difference.OtherChange(from: pointer, to: pointer))
                continue
            }
            difference.variables.append(
                Difference.VariableChange(name: name, before: old[name], after: new[name]))
        }
    }

    /// Compares the keys of `applinks`.
    mutating func compareApplinks() {
        let pointer = JSONPointer(tokens: ["applinks"])
        let (old, new) = (before.root["applinks"], after.root["applinks"])
        if old == new { return }
        guard case .object(let oldObject) = old ?? [:], case .object(let newObject) = new ?? [:] else {
            difference.other += TreeComparison.changes(old, new, from: pointer, to: pointer)
            return
        }
        addDefaults(oldObject["defaults"], newObject["defaults"], from: pointer, to: pointer)
        let details = pointer.appending("details")
        if Self.unread(oldObject["details"]) != Self.unread(newObject["details"]) {
            difference.other.append(
                Difference.OtherChange(
                    from: oldObject["details"] == nil ? nil : details, to: newObject["details"] == nil ? nil : details))
        }
        addOther(oldObject, newObject, from: pointer, to: pointer) { name in
            switch name {
            case "details": true
            case "defaults", "substitutionVariables": Self.areObjects(oldObject[name], newObject[name])
            default: false
            }
        }
    }

    /// Compares the `defaults` of an entry.
    mutating func compareDefaults(_ old: PlacedEntry?, _ new: PlacedEntry?) {
        addDefaults(old?.json?["defaults"], new?.json?["defaults"], from: old?.pointer, to: new?.pointer)
    }

    /// Compares the keys of an entry other than its apps, rules and defaults.
    mutating func compareRest(_ old: PlacedEntry, _ new: PlacedEntry) {
        let (oldObject, newObject) = (old.json ?? [:], new.json ?? [:])
        let read = [old.reading.patterns.key, new.reading.patterns.key].compactMap(\.self)
        addOther(oldObject, newObject, from: old.pointer, to: new.pointer) { name in
            switch name {
            case "appIDs", "appID": old.appKeys != new.appKeys
            case "components", "paths": read.contains(name)
            case "defaults": Self.areObjects(oldObject[name], newObject[name])
            default: false
            }
        }
    }

    private mutating func addDefaults(
        _ old: JSONValue?, _ new: JSONValue?, from: JSONPointer?, to: JSONPointer?
    ) {
        guard Self.areObjects(old, new) else { return }
        let (oldObject, newObject) = (old?.object ?? [:], new?.object ?? [:])
        for key in TreeComparison.names(oldObject, newObject) where oldObject[key] != newObject[key] {
            difference.defaults.append(
                Difference.DefaultChange(
                    from: from?.appending("defaults"), to: to?.appending("defaults"), key: key,
                    before: oldObject[key], after: newObject[key]))
        }
    }

    /// Adds the members that differ, except those that are in another list of the difference.
    private mutating func addOther(
        _ old: JSONObject, _ new: JSONObject, from: JSONPointer, to: JSONPointer, except isTold: (String) -> Bool
    ) {
        for name in TreeComparison.names(old, new) where !isTold(name) {
            difference.other += TreeComparison.changes(
                old[name], new[name], from: from.appending(name), to: to.appending(name))
        }
    }

    /// Whether both are objects or absent. They can then be compared key by key.
    private static func areObjects(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        [one, other].allSatisfy { $0 == nil || $0?.object != nil }
    }

    /// The parts of `details` that are not entries: elements that are not objects, or a value of another type.
    private static func unread(_ details: JSONValue?) -> JSONValue {
        switch details {
        case .array(let items): .array(items.filter { $0.object == nil })
        case .object(let items):
            .object(JSONObject(items.members.filter { $0.value.object == nil }.map { ($0.name, $0.value) }))
        case nil: []
        case .some(let value): value
        }
    }
}

extension EntryReading.Patterns {
    /// The key that contains the patterns, or `nil` if the entry has no patterns.
    fileprivate var key: String? {
        switch self {
        case .unrestricted: nil
        case .components: "components"
        case .paths: "paths"
        }
    }
}

import StrictJSON

extension DraftImporter {
    /// Reads `details`, in any form, as entries.
    mutating func entries(_ details: JSONValue, _ pointer: JSONPointer, defaults: [JSONObject]) -> [Draft.Entry] {
        switch details {
        case .array(let items):
            if items.isEmpty { note(.dropped, pointer, "it is empty") }
            return items.enumerated().compactMap { entry($1, pointer.appending($0), legacyKey: nil, above: defaults) }
        case .object(let items):
            note(.changed, pointer, "the old form, an object by app ID, is now a list in the order of the app IDs")
            return items.members.compactMap {
                entry($0.value, pointer.appending($0.name), legacyKey: $0.name, above: defaults)
            }
        default:
            note(.dropped, pointer, "neither an array nor an object, so iOS ignores it")
            return []
        }
    }

    private mutating func entry(
        _ value: JSONValue, _ pointer: JSONPointer, legacyKey: String?, above fileDefaults: [JSONObject]
    ) -> Draft.Entry? {
        guard let object = value.object else {
            note(.dropped, pointer, "not an object, so iOS ignores it")
            return nil
        }
        var entry = Draft.Entry(id: newEntryID(pointer), apps: [], rules: nil)
        for member in object.members where !DraftShapes.entryKeys.contains(member.name) {
            keep(member, pointer.appending(member.name), in: &entry.extras)
        }
        entry.apps = apps(object, pointer, legacyKey: legacyKey)
        if let defaults = object["defaults"] {
            entry.defaults = self.defaults(defaults, pointer.appending("defaults"), above: fileDefaults)
        }
        let defaults = [object["defaults"]?.object].compactMap(\.self) + fileDefaults
        entry.rules = rules(object, pointer, defaults: defaults)
        return entry
    }

    private mutating func apps(_ object: JSONObject, _ pointer: JSONPointer, legacyKey: String?) -> [String] {
        if let legacyKey {
            for key in ["appIDs", "appID"] where object[key] != nil {
                note(.dropped, pointer.appending(key), "ignored in the old form, where the key is the app ID")
            }
            return [appID(.string(legacyKey), pointer)].compactMap(\.self)
        }
        if let ids = object["appIDs"]?.array {
            // For iOS 9 to 12, the generated file has `appID` again.
            if let id = object["appID"], !(servesOldSystems && ids.contains(id)) {
                note(.dropped, pointer.appending("appID"), "it has no effect next to \"appIDs\"")
            }
            return appIDs(ids, pointer.appending("appIDs"))
        }
        if object["appIDs"] != nil { note(.dropped, pointer.appending("appIDs"), "not an array, so iOS ignores it") }
        guard let value = object["appID"] else { return [] }
        let place = pointer.appending("appID")
        guard let id = appID(value, place) else { return [] }
        note(.changed, place, "now \"appIDs\" with one app")
        return [id]
    }

    private mutating func rules(
        _ object: JSONObject, _ pointer: JSONPointer, defaults: [JSONObject]
    ) -> [Rule]? {
        let place = pointer.appending("paths")
        if let components = object["components"]?.array {
            if object["paths"] != nil, !servesOldSystems {
                note(.dropped, place, "it has no effect next to \"components\" since iOS 13")
            }
            return components.enumerated().map { index, component in
                let place = pointer.appending("components").appending(index)
                return Rule(id: newID(), fields: fields(component, place, above: defaults))
            }
        }
        if object["components"] != nil {
            note(.dropped, pointer.appending("components"), "not an array, so iOS ignores it")
        }
        if let paths = object["paths"]?.array {
            // For iOS 9 to 12, Waymark itself writes an entry without rules in this form.
            let isOwnForm = object["appIDs"]?.array.map { $0.isEmpty || object["appID"] != nil } ?? false
            if isOwnForm, paths == ["*"], defaults.isEmpty {
                if !servesOldSystems { note(.changed, place, "now an entry without rules, which opens every URL") }
                return nil
            }
            return rules(paths: paths, place, defaults: defaults)
        }
        if object["paths"] != nil { note(.dropped, place, "not an array, so iOS ignores it") }
        return nil
    }

    /// Converts `paths` to rules with the same meaning.
    private mutating func rules(paths: [JSONValue], _ pointer: JSONPointer, defaults: [JSONObject]) -> [Rule] {
        note(
            .changed, pointer,
            servesOldSystems
                ? "now rules: the file will have \"components\" for iOS 13 and later, and \"paths\" for iOS 9 to 12"
                : "now rules: the file will have \"components\", which iOS 13 and later read")
        return paths.enumerated().map { index, path in
            var fields = RuleFields()
            if let entry = PathEntry(path) {
                fields.path = entry.path
                if entry.excludes {
                    fields.exclude = true
                    // Paths with NOT are case-sensitive, regardless of `defaults` [REP].
                    if defaults.contains(where: { $0["caseSensitive"] != nil }) { fields.caseSensitive = true }
                }
            } else {
                note(.changed, pointer.appending(index), "not a string, so it matches every URL; now an empty rule")
            }
            return Rule(id: newID(), fields: fields)
        }
    }
}

public import StrictJSON

extension Draft {
    /// Creates a draft from an existing file. The file that the draft generates has the same meaning: on iOS 13 and
    /// later, every URL has the same outcome for every app. If the file supports iOS 9 to 12, the draft also supports
    /// them (``Compatibility/ios9``), and the report lists every change on these systems.
    ///
    /// A file with more than ``Association/maximumSize`` bytes can exceed the limits of a draft. Call ``checkLimits()``
    /// to check.
    ///
    /// - Parameters:
    ///   - association: The file.
    ///   - makeID: Returns a new, unique ID for each entry and rule.
    /// - Returns: The draft, and a report on each part of the file that was changed or is missing in the draft.
    public static func importing(
        _ association: Association, makeID: @escaping () -> String
    ) -> (draft: Draft, report: ImportReport) {
        var importer = DraftImporter(makeID: makeID, servesOldSystems: association.servesOldSystems)
        var draft = importer.draft(association)
        if importer.servesOldSystems {
            draft.compatibility = .ios9
            if DraftImporter.canServeOldSystems(draft, imported: association) {
                importer.noteOldSystems(association, draft)
            } else {
                importer = DraftImporter(makeID: makeID, servesOldSystems: false)
                draft = importer.draft(association)
                importer.note(
                    .dropped, JSONPointer(tokens: ["applinks"]),
                    "iOS 9 to 12 are no longer supported: they need \"appID\" and \"paths\" for each app, "
                        + "which makes the file too large")
            }
        }
        return (draft, ImportReport(items: importer.items))
    }

    /// Checks the draft against ``Limits`` and all other rules for a draft's JSON. Use it for a draft that was imported
    /// or built in code, because only ``init(json:at:isSent:makeID:)`` checks a draft automatically.
    ///
    /// - Throws: ``JSONFaults`` with all faults. Their pointers refer to ``json``.
    public func checkLimits() throws(JSONFaults) {
        _ = try Draft(json: json) { "" }
    }
}

/// Imports a file into a draft, part by part, and records each change.
struct DraftImporter {
    private let makeID: () -> String
    private(set) var items: [ImportReport.Item] = []
    /// Whether the draft will support iOS 9 to 12.
    let servesOldSystems: Bool
    /// The position of each entry in the imported file, by the entry's ID.
    private var places: [String: JSONPointer] = [:]

    init(makeID: @escaping () -> String, servesOldSystems: Bool) {
        self.makeID = makeID
        self.servesOldSystems = servesOldSystems
    }

    func newID() -> String { makeID() }

    /// Returns a new ID for an entry, and records the entry's position in the file.
    mutating func newEntryID(_ pointer: JSONPointer) -> String {
        let id = makeID()
        places[id] = pointer
        return id
    }

    func place(of entry: Draft.Entry) -> JSONPointer? { places[entry.id] }

    mutating func note(_ action: ImportReport.Action, _ pointer: JSONPointer, _ detail: String) {
        items.append(ImportReport.Item(pointer: pointer, action: action, detail: detail))
    }

    mutating func draft(_ association: Association) -> Draft {
        var draft = Draft()
        for member in withoutNULs(association.root, JSONPointer()).members {
            let pointer = JSONPointer().appending(member.name)
            if member.name == "applinks" {
                importApplinks(member.value, pointer, into: &draft)
            } else if let apps = member.value["apps"]?.array, member.value.object?.count == 1 {
                let values = appIDs(apps, pointer.appending("apps"))
                draft.services.append(Draft.StringList(name: member.name, values: values))
            } else {
                keep(member, pointer, in: &draft.extras)
            }
        }
        return draft
    }

    /// Replaces U+0000 with U+FFFD. PostgreSQL's `text` cannot store U+0000, and no URL can contain it.
    private mutating func withoutNULs(_ object: JSONObject, _ pointer: JSONPointer) -> JSONObject {
        var result = JSONObject()
        for member in object.members {
            let place = pointer.appending(member.name)
            let name = withoutNULs(member.name, place)
            if !result.insert(name, withoutNULs(member.value, place)) {
                note(.dropped, place, "without U+0000, this key is the same as another key")
            }
        }
        return result
    }

    private mutating func withoutNULs(_ value: JSONValue, _ pointer: JSONPointer) -> JSONValue {
        switch value {
        case .string(let text): return .string(withoutNULs(text, pointer))
        case .array(let elements):
            return .array(elements.enumerated().map { withoutNULs($1, pointer.appending($0)) })
        case .object(let object): return .object(withoutNULs(object, pointer))
        default: return value
        }
    }

    private mutating func withoutNULs(_ text: String, _ pointer: JSONPointer) -> String {
        guard text.utf8.contains(0) else { return text }
        note(.changed, pointer, "U+0000 cannot be stored and was replaced with U+FFFD")
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    private mutating func importApplinks(_ value: JSONValue, _ pointer: JSONPointer, into draft: inout Draft) {
        guard let applinks = value.object else { return note(.dropped, pointer, "not an object, so iOS ignores it") }
        var extras = JSONObject()
        for member in applinks.members {
            let place = pointer.appending(member.name)
            switch member.name {
            case "apps": importApps(member.value, place, hasDetails: applinks["details"] != nil, into: &draft)
            case "defaults": draft.defaults = defaults(member.value, place, above: [])
            case "substitutionVariables": draft.substitutionVariables = variables(member.value, place)
            case "details": break
            default: keep(member, place, in: &extras)
            }
        }
        if let details = applinks["details"] {
            let defaults = applinks["defaults"]?.object
            draft.entries += entries(details, pointer.appending("details"), defaults: [defaults].compactMap(\.self))
        }
        // An empty `applinks` stays in the draft. Without it, the generated file could have no service at all, which is
        // an error (WM008).
        let isEmpty = draft.entries.isEmpty && draft.defaults.isEmpty && draft.substitutionVariables.isEmpty
        if !extras.isEmpty || isEmpty { draft.extras["applinks"] = .object(extras) }
    }

    /// Imports `applinks.apps`. If `details` exists, iOS ignores it, and so does the import. Otherwise it becomes an
    /// entry without rules, because its apps get "entries that match every URL" [REP].
    private mutating func importApps(
        _ value: JSONValue, _ pointer: JSONPointer, hasDetails: Bool, into draft: inout Draft
    ) {
        guard let apps = value.array else { return note(.dropped, pointer, "not an array, so iOS ignores it") }
        if apps.isEmpty {
            if servesOldSystems { return }
            note(.dropped, pointer, "only iOS 9 to 12 need an empty \"apps\"")
        } else if hasDetails {
            note(.dropped, pointer, "it has no effect next to \"details\"")
        } else {
            note(.changed, pointer, "now an entry without rules, whose apps open every URL")
            let ids = appIDs(apps, pointer)
            draft.entries.append(Draft.Entry(id: newID(), apps: ids, rules: nil))
        }
    }

    private mutating func variables(_ value: JSONValue, _ pointer: JSONPointer) -> [Draft.StringList] {
        guard let object = value.object, !object.isEmpty else {
            note(.dropped, pointer, value.object == nil ? "not an object, so iOS ignores it" : "it is empty")
            return []
        }
        return object.members.compactMap { member in
            let place = pointer.appending(member.name)
            switch member.value {
            case .string(let text):
                note(.changed, place, "a single value, now a list with one value")
                return Draft.StringList(name: member.name, values: [text])
            case .array(let elements):
                return Draft.StringList(name: member.name, values: strings(elements, place))
            default:
                note(.dropped, place, "not an array, so the variable is not defined")
                return nil
            }
        }
    }

    /// The app IDs among the elements. Elements that a draft cannot hold are dropped and reported.
    mutating func appIDs(_ elements: [JSONValue], _ pointer: JSONPointer) -> [String] {
        elements.enumerated().compactMap { appID($1, pointer.appending($0)) }
    }

    /// The app ID in a value. Returns `nil` if a draft cannot hold the value, and reports it as dropped.
    mutating func appID(_ value: JSONValue, _ pointer: JSONPointer) -> String? {
        guard let text = value.string else {
            note(.dropped, pointer, "not a string, so iOS ignores it")
            return nil
        }
        let length = text.utf8.count
        guard (1...AppID.maximumLength).contains(length) else {
            let fault = length == 0 ? "it is empty" : "it has more than \(AppID.maximumLength) bytes"
            note(.dropped, pointer, "no app can have this app ID: \(fault)")
            return nil
        }
        return text
    }

    private mutating func strings(_ elements: [JSONValue], _ pointer: JSONPointer) -> [String] {
        elements.enumerated().compactMap { index, element in
            if element.string == nil { note(.dropped, pointer.appending(index), "not a string, so iOS ignores it") }
            return element.string
        }
    }

    /// Keeps a member with an unknown key in `extras`, and reports it.
    mutating func keep(_ member: JSONObject.Member, _ pointer: JSONPointer, in extras: inout JSONObject) {
        extras[member.name] = member.value
        note(.kept, pointer, "an unknown key that iOS ignores; it stays in \"extras\" and in the published file")
    }
}

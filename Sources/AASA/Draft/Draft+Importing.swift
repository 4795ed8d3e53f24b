public import StrictJSON

extension Draft {
    /// Makes a draft of an existing file. The file that the draft generates means the same: on systems from iOS 13 on,
    /// every URL has the same outcome for every app. A file that serves iOS 9 to 12 makes a draft that serves them
    /// (``Compatibility/ios9``); what changes there is in the report, which then names these systems.
    ///
    /// A file of more than ``Association/maximumSize`` bytes can hold more than a draft may: ``checkLimits()`` tells.
    ///
    /// - Parameters:
    ///   - association: The file.
    ///   - makeID: Gives an ID to every entry and rule; must not repeat itself.
    /// - Returns: The draft, and a report that names every part of the file that is not in the draft as it was.
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
                    "iOS 9 to 12 are not served any more: with \"appID\" and \"paths\" for each app the file is too large"
                )
            }
        }
        return (draft, ImportReport(items: importer.items))
    }

    /// Checks a draft that was made in code or by an import against ``Limits`` and the other rules of a draft's JSON.
    ///
    /// - Throws: All faults at once, with pointers into ``json``.
    public func checkLimits() throws(JSONFaults) {
        _ = try Draft(json: json) { "" }
    }
}

/// Carries a file over into a draft, part by part, and writes down what does not go over as it is.
struct DraftImporter {
    private let makeID: () -> String
    private(set) var items: [ImportReport.Item] = []
    /// Whether the draft is to serve iOS 9 to 12.
    let servesOldSystems: Bool
    /// Where in the file the draft's entries stand, by their IDs.
    private var places: [String: JSONPointer] = [:]

    init(makeID: @escaping () -> String, servesOldSystems: Bool) {
        self.makeID = makeID
        self.servesOldSystems = servesOldSystems
    }

    func newID() -> String { makeID() }

    /// The ID of an entry that stands in the file at a place.
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

    /// The object with U+FFFD in the place of U+0000, which PostgreSQL's text cannot hold and no URL can contain.
    private mutating func withoutNULs(_ object: JSONObject, _ pointer: JSONPointer) -> JSONObject {
        var result = JSONObject()
        for member in object.members {
            let place = pointer.appending(member.name)
            let name = withoutNULs(member.name, place)
            if !result.insert(name, withoutNULs(member.value, place)) {
                note(.dropped, place, "without its U+0000 the key is one that is there already")
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
        note(.changed, pointer, "U+0000 cannot be stored; U+FFFD stands in its place")
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    private mutating func importApplinks(_ value: JSONValue, _ pointer: JSONPointer, into draft: inout Draft) {
        guard let applinks = value.object else { return note(.dropped, pointer, "no object, so it is ignored") }
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
        // Empty ones are kept too: without any service the file would be at fault.
        let isEmpty = draft.entries.isEmpty && draft.defaults.isEmpty && draft.substitutionVariables.isEmpty
        if !extras.isEmpty || isEmpty { draft.extras["applinks"] = .object(extras) }
    }

    /// `applinks.apps`: ignored beside `details`; without, "entries that match every URL" [REP].
    private mutating func importApps(
        _ value: JSONValue, _ pointer: JSONPointer, hasDetails: Bool, into draft: inout Draft
    ) {
        guard let apps = value.array else { return note(.dropped, pointer, "no array, so it is ignored") }
        if apps.isEmpty {
            if servesOldSystems { return }
            note(.dropped, pointer, "an empty \"apps\" is needed for iOS 9 to 12 only")
        } else if hasDetails {
            note(.dropped, pointer, "it has no effect beside \"details\"")
        } else {
            note(.changed, pointer, "became an entry without restriction: its apps open every URL")
            let ids = appIDs(apps, pointer)
            draft.entries.append(Draft.Entry(id: newID(), apps: ids, rules: nil))
        }
    }

    private mutating func variables(_ value: JSONValue, _ pointer: JSONPointer) -> [Draft.StringList] {
        guard let object = value.object, !object.isEmpty else {
            note(.dropped, pointer, value.object == nil ? "no object, so it is ignored" : "there is nothing in it")
            return []
        }
        return object.members.compactMap { member in
            let place = pointer.appending(member.name)
            switch member.value {
            case .string(let text):
                note(.changed, place, "one value became a list of one")
                return Draft.StringList(name: member.name, values: [text])
            case .array(let elements):
                return Draft.StringList(name: member.name, values: strings(elements, place))
            default:
                note(.dropped, place, "no array, so the variable is not defined")
                return nil
            }
        }
    }

    /// The app IDs among the elements that a draft can hold.
    mutating func appIDs(_ elements: [JSONValue], _ pointer: JSONPointer) -> [String] {
        elements.enumerated().compactMap { appID($1, pointer.appending($0)) }
    }

    /// An app ID that a draft can hold; nil for another value, which is left out.
    mutating func appID(_ value: JSONValue, _ pointer: JSONPointer) -> String? {
        guard let text = value.string else {
            note(.dropped, pointer, "no string, so it is ignored")
            return nil
        }
        let length = text.utf8.count
        guard (1...AppID.maximumLength).contains(length) else {
            let fault =
                length == 0 ? "it is empty" : "it has \(length) bytes, and at most \(AppID.maximumLength) are possible"
            note(.dropped, pointer, "the app ID is left out, because no app can have it: \(fault)")
            return nil
        }
        return text
    }

    private mutating func strings(_ elements: [JSONValue], _ pointer: JSONPointer) -> [String] {
        elements.enumerated().compactMap { index, element in
            if element.string == nil { note(.dropped, pointer.appending(index), "no string, so it is ignored") }
            return element.string
        }
    }

    /// Keeps an unknown key.
    mutating func keep(_ member: JSONObject.Member, _ pointer: JSONPointer, in extras: inout JSONObject) {
        extras[member.name] = member.value
        note(.kept, pointer, "not a key that Apple's systems know here; kept in \"extras\" and in the file")
    }
}

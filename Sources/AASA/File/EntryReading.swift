import StrictJSON

/// One element of `applinks.details` as Apple's systems read it.
struct EntryReading {
    /// The patterns of an element.
    enum Patterns {
        /// Neither `components` nor `paths`: "the entry matches every URL" [REP].
        case unrestricted
        /// `components`, with the pointer to the array.
        case components([JSONValue], JSONPointer)
        /// `paths`, with the pointer to the array.
        case paths([JSONValue], JSONPointer)
    }

    /// An app ID as written in the file.
    struct App {
        let text: String
        let pointer: JSONPointer

        /// The app ID in normal form. "The prefix is recognised only if the first `.` is at index 10, then uppercased;
        /// the bundle ID is case-sensitive" [REP].
        var normalized: String {
            guard hasWholePrefix else { return text }
            let bytes = Array(text.utf8)
            let upper = bytes[..<10].map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 }
            return String(decoding: upper + bytes[10...], as: UTF8.self)
        }

        /// Whether the prefix has the length of Apple's prefixes.
        var hasWholePrefix: Bool { Array(text.utf8).firstIndex(of: UInt8(ascii: ".")) == 10 }

        /// Whether the normal form is a valid app ID.
        var isWellFormed: Bool { (try? AppID(normalized)) != nil }
    }

    /// The place of the element in the file.
    let pointer: JSONPointer
    /// The element's apps, in order.
    let apps: [App]
    /// The element's patterns.
    let patterns: Patterns
    /// The element's `defaults`, if the system supports them.
    let defaults: JSONObject?

    /// Reads an element of `details`.
    ///
    /// - Parameters:
    ///   - key: The app ID, in the legacy form of `details`. Otherwise `nil`.
    ///   - met: Gets the open rules that can affect the element.
    init(
        _ object: JSONObject, at pointer: JSONPointer, legacyKey key: String? = nil, os system: SystemVersion,
        _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) {
        self.pointer = pointer
        apps = key.map { [App(text: $0, pointer: pointer)] } ?? Self.apps(object, pointer, system, reading, &met)
        patterns = Self.patterns(object, pointer, system, reading, &met)
        defaults = system >= .ios14 ? object["defaults"]?.object : nil
    }

    /// Creates an entry for an app in `applinks.apps`, for a file without `details`. It matches every URL.
    init(app: String, at pointer: JSONPointer) {
        self.pointer = pointer
        apps = [App(text: app, pointer: pointer)]
        patterns = .unrestricted
        defaults = nil
    }

    /// "`appIDs`: if it is an array it is used and `appID` is ignored, even when it is empty" [OBS]; `appID` "is used
    /// when `appIDs` is not an array" [OBS]; strings only [REP].
    private static func apps(
        _ object: JSONObject, _ pointer: JSONPointer, _ system: SystemVersion, _ reading: PatternReading,
        _ met: inout Set<OpenRule>
    ) -> [App] {
        if system >= .ios13, let ids = object["appIDs"]?.array {
            if ids.contains(where: { $0.string == nil }), reading.departs(from: .appIDTypes, &met) { return [] }
            return list(ids, pointer.appending("appIDs"))
        }
        if system >= .ios13, let id = object["appIDs"], id.string != nil, reading.departs(from: .appIDTypes, &met) {
            return list([id], pointer.appending("appIDs"))
        }
        if let ids = object["appID"]?.array, reading.departs(from: .appIDTypes, &met) {
            return list(ids, pointer.appending("appID"))
        }
        return object["appID"]?.string.map { [App(text: $0, pointer: pointer.appending("appID"))] } ?? []
    }

    private static func list(_ ids: [JSONValue], _ pointer: JSONPointer) -> [App] {
        ids.enumerated().compactMap { index, value in
            value.string.map { App(text: $0, pointer: pointer.appending(index)) }
        }
    }

    /// "`components`: if it is an array, `paths` is ignored completely" [DOC WWDC19]. A `components` or `paths` that is
    /// not an array is ignored [REP].
    private static func patterns(
        _ object: JSONObject, _ pointer: JSONPointer, _ system: SystemVersion, _ reading: PatternReading,
        _ met: inout Set<OpenRule>
    ) -> Patterns {
        if system >= .ios13, let value = object["components"] {
            let pointer = pointer.appending("components")
            if let components = value.array { return .components(components, pointer) }
            if value.object != nil, reading.departs(from: .singlePattern, &met) { return .components([value], pointer) }
            if reading.departs(from: .patternsOfWrongType, &met) { return .components([], pointer) }
        }
        guard let value = object["paths"] else { return .unrestricted }
        let pointer = pointer.appending("paths")
        if let paths = value.array {
            // An empty array stays a list of rules. This was observed for `components`, and is inferred for `paths`
            // [INF].
            return paths.isEmpty && reading.departs(from: .emptyPaths, &met) ? .unrestricted : .paths(paths, pointer)
        }
        if value.string != nil, reading.departs(from: .singlePattern, &met) { return .paths([value], pointer) }
        return reading.departs(from: .patternsOfWrongType, &met) ? .paths([], pointer) : .unrestricted
    }
}

extension Association {
    /// The `applinks` object. A value of any other type is ignored [REP], and so are keys in a different letter case
    /// [INF].
    var applinks: JSONObject? { root["applinks"]?.object }

    /// The file with its keys in Apple's letter case, down to the keys of an entry. Keys of components are not changed,
    /// because tests showed that iOS reads them only in Apple's letter case.
    var respelled: Association {
        var root = Self.respelled(root, ["applinks"])
        guard let applinks = root["applinks"]?.object else { return Association(root: root) }
        var file = Self.respelled(applinks, ["apps", "details", "defaults", "substitutionVariables"])
        file["details"] = file["details"].map { details in
            guard let items = details.array else { return details }
            return .array(
                items.map { item in
                    let keys = ["appIDs", "appID", "components", "paths", "defaults"]
                    return item.object.map { .object(Self.respelled($0, keys)) } ?? item
                })
        }
        root["applinks"] = .object(file)
        return Association(root: root)
    }

    private static func respelled(_ object: JSONObject, _ keys: [String]) -> JSONObject {
        JSONObject(
            object.members.map { member in
                let key = keys.first { $0.lowercased() == member.name.lowercased() && object[$0] == nil }
                return (key ?? member.name, member.value)
            })
    }

    /// The elements of `applinks.details`, in order, as read by a system.
    func entries(os system: SystemVersion) -> [EntryReading] {
        var ignored: Set<OpenRule> = []
        return entries(os: system, .followed, &ignored)
    }

    /// Same as ``entries(os:)``, in the given reading of the open rules. Adds the open rules that can affect any
    /// outcome to `met`.
    func entries(
        os system: SystemVersion, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [EntryReading] {
        guard let applinks else { return [] }
        let apps = system >= .ios13 ? Self.entries(ofApps: applinks) : []
        // "If `details` is absent, a non-empty `apps` creates entries that match every URL; if `details` is present
        // (any type), `apps` is ignored" [REP].
        guard let details = applinks["details"] else { return apps }
        let entries = Self.entries(of: details, system, reading, &met)
        return !apps.isEmpty && reading.departs(from: .appsBesideDetails, &met) ? entries + apps : entries
    }

    private static func entries(ofApps applinks: JSONObject) -> [EntryReading] {
        let pointer = JSONPointer(tokens: ["applinks", "apps"])
        return (applinks["apps"]?.array ?? []).enumerated().compactMap { index, item in
            item.string.map { EntryReading(app: $0, at: pointer.appending(index)) }
        }
    }

    private static func entries(
        of details: JSONValue, _ system: SystemVersion, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [EntryReading] {
        let pointer = JSONPointer(tokens: ["applinks", "details"])
        let items: [(pointer: JSONPointer, key: String?, value: JSONValue)]
        switch details {
        case .array(let values): items = values.enumerated().map { (pointer.appending($0), nil, $1) }
        // "Legacy object form: still accepted by current swcutil" [OBS]. Its order is undefined. Waymark uses the byte
        // order of the app IDs.
        case .object(let object): items = object.members.map { (pointer.appending($0.name), $0.name, $0.value) }
        default: return []
        }
        let hasOthers = items.contains { $0.value.object == nil }
        if hasOthers, reading.departs(from: .entriesOfWrongType, &met) { return [] }
        // "Non-object details items are skipped" [REP].
        return items.compactMap { item in
            item.value.object.map {
                EntryReading($0, at: item.pointer, legacyKey: item.key, os: system, reading, &met)
            }
        }
    }

    /// The file's `defaults`, if the system supports them.
    func defaults(os system: SystemVersion) -> JSONObject? {
        system >= .ios14 ? applinks?["defaults"]?.object : nil
    }
}

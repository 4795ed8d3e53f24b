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

    /// An app ID as the file spells it.
    struct App {
        let text: String
        let pointer: JSONPointer

        /// "The prefix is recognised only if the first `.` is at index 10, then uppercased; the bundle ID is
        /// case-sensitive" [REP].
        var normalized: String {
            let bytes = Array(text.utf8)
            guard bytes.firstIndex(of: UInt8(ascii: ".")) == 10 else { return text }
            let upper = bytes[..<10].map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 }
            return String(decoding: upper + bytes[10...], as: UTF8.self)
        }

        /// Whether it is an app ID, once normalized.
        var isWellFormed: Bool { (try? AppID(normalized)) != nil }
    }

    /// Where the element stands.
    let pointer: JSONPointer
    /// Its apps, in order.
    let apps: [App]
    /// Its patterns.
    let patterns: Patterns
    /// Its `defaults`, if the system knows them.
    let defaults: JSONObject?

    /// Reads an element. `key` is the app ID that leads to it in the legacy form.
    init(_ object: JSONObject, at pointer: JSONPointer, legacyKey key: String? = nil, os system: SystemVersion) {
        self.pointer = pointer
        apps = key.map { [App(text: $0, pointer: pointer)] } ?? Self.apps(object, pointer, system)
        patterns = Self.patterns(object, pointer, system)
        defaults = system >= .ios14 ? object["defaults"]?.object : nil
    }

    /// An app of `applinks.apps` without `details`: an entry that matches every URL.
    init(app: String, at pointer: JSONPointer) {
        self.pointer = pointer
        apps = [App(text: app, pointer: pointer)]
        patterns = .unrestricted
        defaults = nil
    }

    /// "`appIDs`: if it is an array it is used and `appID` is ignored, even when it is empty" [OBS]; `appID` "is used
    /// when `appIDs` is not an array" [OBS]; strings only [REP].
    private static func apps(_ object: JSONObject, _ pointer: JSONPointer, _ system: SystemVersion) -> [App] {
        if system >= .ios13, let ids = object["appIDs"]?.array {
            return ids.enumerated().compactMap { index, value in
                value.string.map { App(text: $0, pointer: pointer.appending("appIDs").appending(index)) }
            }
        }
        return object["appID"]?.string.map { [App(text: $0, pointer: pointer.appending("appID"))] } ?? []
    }

    /// "`components`: if it is an array, `paths` is ignored completely" [DOC WWDC19]; a `components` or `paths` that
    /// is no array is as if absent [REP].
    private static func patterns(_ object: JSONObject, _ pointer: JSONPointer, _ system: SystemVersion) -> Patterns {
        if system >= .ios13, let components = object["components"]?.array {
            return .components(components, pointer.appending("components"))
        }
        if let paths = object["paths"]?.array { return .paths(paths, pointer.appending("paths")) }
        return .unrestricted
    }
}

extension Association {
    /// The `applinks` object; any other type is ignored [REP], as are keys in another case [INF].
    var applinks: JSONObject? { root["applinks"]?.object }

    /// The elements of `applinks.details`, in order, as a system reads them.
    func entries(os system: SystemVersion) -> [EntryReading] {
        guard let applinks else { return [] }
        let pointer = JSONPointer(tokens: ["applinks", "details"])
        switch applinks["details"] {
        case .array(let items):
            // "Non-object details items are skipped" [REP].
            return items.enumerated().compactMap { index, item in
                item.object.map { EntryReading($0, at: pointer.appending(index), os: system) }
            }
        case .object(let items):
            // "Legacy object form: still accepted by current swcutil" [OBS]; its order is undefined, here it is that
            // of the app IDs' bytes.
            return items.members.compactMap { member in
                member.value.object.map {
                    EntryReading($0, at: pointer.appending(member.name), legacyKey: member.name, os: system)
                }
            }
        case nil where system >= .ios13:
            // "If `details` is absent, a non-empty `apps` creates entries that match every URL; if `details` is present
            // (any type), `apps` is ignored" [REP].
            let apps = JSONPointer(tokens: ["applinks", "apps"])
            return (applinks["apps"]?.array ?? []).enumerated().compactMap { index, item in
                item.string.map { EntryReading(app: $0, at: apps.appending(index)) }
            }
        default:
            return []
        }
    }

    /// The file-wide `defaults`, if the system knows them.
    func defaults(os system: SystemVersion) -> JSONObject? {
        system >= .ios14 ? applinks?["defaults"]?.object : nil
    }
}

import StrictJSON

/// A component or an element of `paths` with `defaults` merged in, as Apple's systems read it.
struct ComponentReading {
    /// The pattern of `?`.
    enum Query {
        case any
        case whole(String)
        case items([(name: String, pattern: String)])
    }

    /// Whether the value has the wrong type for a component or a path.
    let isOfWrongType: Bool
    private let object: JSONObject
    private let defaults: [JSONObject]
    private let system: SystemVersion

    /// Reads a component. "A non-object component matches everything" [REP], as `{}` does.
    ///
    /// - Parameters:
    ///   - component: The component.
    ///   - defaults: The defaults that apply, with those of the entry first: "merged key by key" [DOC]/[OBS].
    ///   - system: The system that reads the component. It ignores keys that it does not know.
    init(_ component: JSONValue, defaults: [JSONObject], os system: SystemVersion) {
        self.init(members: component.object, defaults: defaults, os: system)
    }

    private init(members component: JSONObject?, defaults: [JSONObject], os system: SystemVersion) {
        isOfWrongType = component == nil
        object = component ?? JSONObject()
        self.defaults = defaults
        self.system = system
    }

    /// Reads an element of `paths`. "Current OS parses them into the same pattern objects" [REP], so `defaults` apply.
    init(path: JSONValue, defaults: [JSONObject], os system: SystemVersion) {
        // "A non-string entry matches everything" [REP].
        guard let entry = PathEntry(path) else {
            self.init(members: nil, defaults: defaults, os: system)
            return
        }
        var object: JSONObject = ["/": .string(entry.path)]
        if entry.excludes {
            object["exclude"] = true
            // "NOT entries force case-sensitivity while the others inherit `defaults`" [REP].
            object["caseSensitive"] = true
        }
        self.init(members: object, defaults: defaults, os: system)
    }

    /// The path pattern, not normalised, or `nil` for any path. A value of the wrong type is ignored [REP].
    var path: String? { value(.path)?.string }

    /// The fragment pattern, or `nil` for any fragment.
    var fragment: String? { value(.fragment)?.string }

    /// The pattern or patterns for the query. "A `?` object with any non-string value is ignored as a whole" [OBS]; a
    /// number, array or null is ignored [REP].
    var query: Query {
        switch value(.query) {
        case .string(let text): return .whole(text)
        case .object(let object):
            let items = object.members.compactMap { member in member.value.string.map { (member.name, $0) } }
            return items.count == object.count ? .items(items) : .any
        default: return .any
        }
    }

    /// Whether matching URLs open in the browser instead of an app.
    var excludes: Bool { flag(.exclude, absent: false) }

    /// Whether comparisons are case-sensitive.
    var caseSensitive: Bool { system >= .ios13point5 ? flag(.caseSensitive, absent: true) : true }

    /// Whether URLs are compared as written.
    var percentEncoded: Bool { system >= .ios14 ? flag(.percentEncoded, absent: true) : true }

    /// The value of a key, from the component or, if the component lacks the key, from `defaults`. "Every key, not only
    /// the two flags, may stand in `defaults`" [OBS]. A key in the component overrides `defaults`, even if its value
    /// has the wrong type.
    func value(_ key: ComponentKey) -> JSONValue? {
        if let own = object[key.rawValue] { return own }
        for object in defaults {
            if let value = object[key.rawValue] { return value }
        }
        return nil
    }

    /// Whether both the component and `defaults` have the key.
    func overridesDefaults(_ key: ComponentKey) -> Bool {
        object[key.rawValue] != nil && defaults.contains { $0[key.rawValue] != nil }
    }

    private func flag(_ key: ComponentKey, absent: Bool) -> Bool {
        value(key).map { LenientFlag.value(of: $0) ?? false } ?? absent
    }
}

/// Reads `true`, `false` and the values that Apple's systems accept in their place.
enum LenientFlag {
    /// "Flags use boolean coercion (`1`, `"true"`, `"YES"` are true)". Returns `nil` for a value that cannot be coerced
    /// (null, object, array), which "counts as false" [REP].
    static func value(of value: JSONValue) -> Bool? {
        switch value {
        case .bool(let value): value
        case .number(let number): number.double != 0
        case .string(let text): isTrue(text)
        case .null, .array, .object: nil
        }
    }

    /// `NSString.boolValue` [DOC Foundation]: after white space, a sign and zeros, one of `Y y T t 1-9`.
    private static func isTrue(_ text: String) -> Bool {
        let rest = text.utf8.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let unsigned = rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") ? rest.dropFirst() : rest
        return unsigned.drop { $0 == UInt8(ascii: "0") }.first.map { "YyTt123456789".utf8.contains($0) } ?? false
    }
}

/// An element of `paths`: a path pattern. It excludes if it begins with `NOT ` [DOC].
struct PathEntry {
    let path: String
    let excludes: Bool

    /// Returns `nil` if the value is not a string.
    init?(_ value: JSONValue) {
        guard let text = value.string else { return nil }
        // "The prefix test is case-insensitive (`not /x` excludes too), exactly one space is consumed, `NOT/x` is a
        // literal" [REP].
        let head = text.utf8.prefix(4).map { $0 & 0xDF }
        excludes = head == Array("NOT\0".utf8) && text.utf8.dropFirst(3).first == 0x20
        path = excludes ? String(decoding: text.utf8.dropFirst(4), as: UTF8.self) : text
    }
}

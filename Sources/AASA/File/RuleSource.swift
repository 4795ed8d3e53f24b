import StrictJSON

/// A rule as written in the file, with its place and the defaults that apply.
struct RuleSource {
    let pointer: JSONPointer
    /// Whether the rule is an element of `paths`, not a component.
    let isPath: Bool
    let value: JSONValue
    /// The defaults that apply, with those of the entry first.
    let defaults: [JSONObject]

    /// The rule as a component, in the given reading of the open rules.
    func component(
        _ reading: PatternReading, os system: SystemVersion, _ met: inout Set<OpenRule>
    ) -> ComponentReading {
        guard isPath else { return ComponentReading(value, defaults: defaults, os: system) }
        let hasDefaults = defaults.contains { object in ComponentKey.allCases.contains { object[$0.rawValue] != nil } }
        let ignoresDefaults = hasDefaults && reading.departs(from: .defaultsInPaths, &met)
        let defaults = ignoresDefaults ? [] : defaults
        let component = ComponentReading(path: value, defaults: defaults, os: system)
        guard let text = value.string, text.utf8.prefix(3).map({ $0 & 0xDF }) == Array("NOT".utf8) else {
            return component
        }
        if component.excludes, hasDefaults, reading.departs(from: .notIsCaseSensitive, &met) {
            return ComponentReading(
                ["/": .string(PathEntry(value)?.path ?? text), "exclude": true], defaults: defaults, os: system)
        }
        let isPlain = text.utf8.starts(with: "NOT ".utf8) && !text.utf8.starts(with: "NOT  ".utf8)
        if !isPlain, reading.departs(from: .notPrefix, &met) {
            return ComponentReading(otherwise(text), defaults: defaults, os: system)
        }
        return component
    }

    /// The alternative reading of a path that begins almost like `NOT `. `not /x` becomes literal text. `NOT/x` and
    /// `NOT  /x` become exclusions of `/x`.
    private func otherwise(_ text: String) -> JSONValue {
        guard text.utf8.starts(with: "NOT".utf8) else { return ["/": .string(text)] }
        let rest = text.utf8.dropFirst(3).drop { $0 == 0x20 }
        return ["/": .string(String(decoding: rest, as: UTF8.self)), "exclude": true]
    }
}

extension ComponentReading {
    /// Whether the rule, or one of its patterns, has a type that Apple does not document. A `?` object with a value
    /// that is not a string is not included: tests showed that it is ignored [OBS].
    var hasWrongType: Bool {
        if isOfWrongType { return true }
        if let path = value(.path), path.string == nil { return true }
        if let fragment = value(.fragment), fragment.string == nil { return true }
        if let query = value(.query), query.string == nil, query.object == nil { return true }
        return false
    }

    /// The value of a flag. In the alternative reading, a value of the wrong type has the opposite meaning.
    func flag(_ key: ComponentKey, absent: Bool, _ reading: PatternReading, _ met: inout Set<OpenRule>) -> Bool {
        guard let value = value(key) else { return absent }
        if let bool = value.bool { return bool }
        let coerced = LenientFlag.value(of: value) ?? false
        return reading.departs(from: .flagCoercion, &met) ? !coerced : coerced
    }
}

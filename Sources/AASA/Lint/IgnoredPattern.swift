import StrictJSON

/// Finds rules whose patterns are all under keys that iOS ignores: "unknown keys ignored; `{}` (or only `comment`)
/// matches every URL" [OBS].
enum IgnoredPattern {
    /// Names that people use for comments.
    private static let remarks: Set = ["note", "notes", "description", "name", "title", "id", "label", "comments"]

    /// The first key of a component that was probably meant as a pattern, or `nil` if none exists.
    static func key(of component: JSONObject) -> String? {
        component.names.first { name in
            ComponentKey(rawValue: name) == nil && !KnownKeys.ofAppleAlone.contains(name) && !isRemark(name)
                && !isFlag(name, component[name])
        }
    }

    private static func isRemark(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "_") || name.utf8.starts(with: "//".utf8)
            || remarks.contains(name.lowercased()) || NearestName.of(name, among: ["comment"]) != nil
    }

    /// Whether a key was probably meant as a flag. A key whose value is a path, as in `{"not": "/x"}`, was not.
    private static func isFlag(_ name: String, _ value: JSONValue?) -> Bool {
        let first = value?.string?.utf8.first
        let isPath = first == UInt8(ascii: "/") || first == UInt8(ascii: "*")
        guard !isPath, value?.array == nil else { return false }
        return KnownKeys.meant(by: name, among: ["exclude", "caseSensitive", "percentEncoded"]) != nil
    }
}

extension Linter {
    /// Reports an ignored pattern, instead of the finding about its unknown key.
    func lintIgnoredPattern(_ name: String, _ component: JSONObject, _ pointer: JSONPointer) {
        let meant = KnownKeys.meant(by: name, among: ComponentKey.patterns)
        let excludes = component["exclude"].flatMap { LenientFlag.value(of: $0) } ?? false
        let place = pointer.appending(name)
        let isPattern = component[name]?.string != nil
        add(
            .ruleWithoutPattern(name, meant: meant, excludes: excludes), key: place,
            fix: isPattern ? meant.flatMap { renaming(place, to: $0) } : nil)
    }
}

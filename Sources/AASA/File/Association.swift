public import StrictJSON

/// An `apple-app-site-association` file as a lossless tree, valid or not.
///
/// Reading is lenient and keeps everything. IDs and patterns are plain text, values of the wrong type and unknown keys
/// stay in place, and pointers refer to the original file. ``CompiledAssociation`` evaluates URLs as Apple's systems
/// do. ``lint(_:registered:sensitive:)`` reports problems.
///
/// Members of JSON objects have no order. The tree keeps them in one canonical order. So two associations are equal if
/// their files have the same content, and ``bytes`` is always the same.
public struct Association: Hashable, Sendable {
    /// The file's root object, in canonical order.
    public let root: JSONObject

    /// Creates an association from a root object in any order.
    public init(root: JSONObject) { self.root = CanonicalOrder.root(root) }

    /// The maximum size in bytes that Apple's systems accept. A download of 131,073 bytes is cancelled.
    public static let maximumSize = 131_072

    /// The size in bytes above which a file gets a warning. Some checkers read "128 KB" as 128,000 bytes.
    public static let advisedSize = 128_000

    /// The file's bytes: UTF-8 JSON without white space, with members in canonical order. Parsing them returns an equal
    /// association.
    public var bytes: [UInt8] { bytes(.compact) }

    /// The file's bytes in a style. ``JSONStyle/pretty`` adds a line end at the end.
    public func bytes(_ style: JSONStyle) -> [UInt8] {
        JSONValue.object(root).bytes(style) + (style == .pretty ? [0x0A] : [])
    }
}

/// The order of members in a file's objects: known keys in the order of Apple's documentation, then all other keys by
/// their bytes.
enum CanonicalOrder {
    static func root(_ root: JSONObject) -> JSONObject {
        arrange(root, ["applinks", "webcredentials", "appclips", "activitycontinuation"]) { name, value in
            guard name == "applinks", case .object(let applinks) = value else { return value.sorted() }
            return .object(Self.applinks(applinks))
        }
    }

    private static func applinks(_ applinks: JSONObject) -> JSONObject {
        arrange(applinks, ["apps", "defaults", "substitutionVariables", "details"]) { name, value in
            switch (name, value) {
            case ("details", .array(let items)): .array(items.map(details))
            // In the legacy form, each app ID is the key of an entry.
            case ("details", .object(let items)):
                .object(arrange(items, []) { _, value in details(value) })
            case ("defaults", _): component(value)
            default: value.sorted()
            }
        }
    }

    private static func details(_ value: JSONValue) -> JSONValue {
        guard case .object(let object) = value else { return value.sorted() }
        return .object(
            arrange(object, ["appIDs", "appID", "defaults", "components", "paths"]) { name, value in
                switch (name, value) {
                case ("components", .array(let items)): .array(items.map(component))
                case ("defaults", _): component(value)
                default: value.sorted()
                }
            })
    }

    private static func component(_ value: JSONValue) -> JSONValue {
        guard case .object(let object) = value else { return value.sorted() }
        return .object(arrange(object, ComponentKey.allCases.map(\.rawValue)) { _, value in value.sorted() })
    }

    private static func arrange(
        _ object: JSONObject, _ first: [String], _ inner: (String, JSONValue) -> JSONValue
    ) -> JSONObject {
        var result = JSONObject()
        for name in first {
            if let value = object[name] { result[name] = inner(name, value) }
        }
        let others = object.members.filter { result.place(of: $0.name) == nil }
        for member in others.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            result[member.name] = inner(member.name, member.value)
        }
        return result
    }
}

/// The keys of a component and of `defaults` [DOC applinks.Details.Components, applinks.Defaults].
enum ComponentKey: String, CaseIterable {
    case path = "/"
    case query = "?"
    case fragment = "#"
    case exclude
    case caseSensitive
    case percentEncoded
    case comment

    /// The keys with patterns.
    static let patterns = [path, query, fragment].map(\.rawValue)
}

import StrictJSON

/// What would make a file smaller, and by how much: counted on the smaller file itself.
struct SizeSaving {
    /// How many bytes it saves.
    let bytes: Int
    /// How, in words that follow "by".
    let how: String

    /// What would save bytes of a file, the most first; each by itself, without white space from the second on.
    static func savings(_ bytes: [UInt8], _ root: JSONObject) -> [SizeSaving] {
        let compact = JSONValue.object(root).compactSize
        var result = [SizeSaving(bytes: bytes.count - compact, how: "leaving out white space")]
        func add(_ how: String, _ smaller: JSONObject) {
            result.append(SizeSaving(bytes: compact - JSONValue.object(smaller).compactSize, how: how))
        }
        add("leaving out comments", withEntries(root) { withComponents($0) { without(["comment"], $0) } })
        add(
            "leaving out \"paths\" beside \"components\"",
            withEntries(root) { $0["components"]?.array == nil ? $0 : without(["paths"], $0) })
        add("leaving out what is the default", withEntries(root) { withComponents($0, withoutDefaults) })
        return result.filter { $0.bytes > 0 }.sorted { $0.bytes > $1.bytes }
    }

    private static func without(_ names: [String], _ object: JSONObject) -> JSONObject {
        var object = object
        for name in names { object[name] = nil }
        return object
    }

    /// `"exclude": false`, `"caseSensitive": true`, `"percentEncoded": true` say what is so anyway.
    private static func withoutDefaults(_ component: JSONObject) -> JSONObject {
        var object = component
        for (name, value) in [("exclude", false), ("caseSensitive", true), ("percentEncoded", true)]
        where object[name]?.bool == value {
            object[name] = nil
        }
        return object
    }

    private static func withEntries(_ root: JSONObject, _ change: (JSONObject) -> JSONObject) -> JSONObject {
        guard var applinks = root["applinks"]?.object, let items = applinks["details"]?.array else { return root }
        applinks["details"] = .array(items.map { $0.object.map { .object(change($0)) } ?? $0 })
        var root = root
        root["applinks"] = .object(applinks)
        return root
    }

    private static func withComponents(_ entry: JSONObject, _ change: (JSONObject) -> JSONObject) -> JSONObject {
        guard let components = entry["components"]?.array else { return entry }
        var entry = entry
        entry["components"] = .array(components.map { $0.object.map { .object(change($0)) } ?? $0 })
        return entry
    }
}

extension Linter {
    /// From three quarters of the limit on, it is worth knowing what is left.
    private static let noticedSize = Association.maximumSize / 4 * 3

    func lintSize() {
        guard source.bytes.count > Self.noticedSize else { return }
        let savings = SizeSaving.savings(source.bytes, association.root)
        // How large the file is, a finding of its own says from the advised size on.
        let size = source.bytes.count > Association.advisedSize ? nil : source.bytes.count
        guard size != nil || !savings.isEmpty else { return }
        add(.headroom(size: size, savings: savings), JSONPointer(), fix: withoutSpace)
    }

    /// The file in its shortest form, where that brings it below the limit.
    private var withoutSpace: Fix? {
        let size = source.bytes.count
        guard size > Association.maximumSize else { return nil }
        let compact = association.bytes
        guard compact.count <= Association.maximumSize else { return nil }
        let edit = Fix.Edit(offset: 0, length: size, text: String(decoding: compact, as: UTF8.self))
        return Fix(title: "Leave out white space", keepsOutcomes: true, edits: [edit])
    }
}

extension JSONValue {
    /// How many bytes ``bytes(_:)`` has in compact style, without writing them.
    var compactSize: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .number(let number): number.text.utf8.count
        case .string(let text): Self.size(of: text)
        case .array(let elements): elements.reduce(max(1, elements.count) + 1) { $0 + $1.compactSize }
        case .object(let object):
            object.members.reduce(max(1, object.count) + 1) { $0 + Self.size(of: $1.name) + 1 + $1.value.compactSize }
        }
    }

    private static func size(of text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            bytes.reduce(2) { size, byte in
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: size + 2
                case ..<0x20: size + 6
                default: size + 1
                }
            }
        }
    }
}

import StrictJSON

/// A way to make a file smaller, and how much it saves.
struct SizeSaving {
    /// How many bytes it saves.
    let bytes: Int
    /// How, as words after "by".
    let how: String

    /// The ways to make a file smaller, the most effective first. Each is counted separately; all but white space are
    /// counted on the file without white space.
    static func savings(_ bytes: [UInt8], _ root: JSONObject) -> [SizeSaving] {
        let entries = root["applinks"]?["details"]?.array?.compactMap(\.object) ?? []
        let components = entries.flatMap { $0["components"]?.array?.compactMap(\.object) ?? [] }
        let savings = [
            SizeSaving(bytes: bytes.count - JSONValue.object(root).compactSize, how: "removing white space"),
            SizeSaving(bytes: saved(in: components) { $0.name == "comment" }, how: "removing comments"),
            SizeSaving(
                bytes: saved(in: entries.filter { $0["components"]?.array != nil }) { $0.name == "paths" },
                how: "removing \"paths\" next to \"components\""),
            SizeSaving(
                bytes: saved(in: components, by: isDefault), how: "removing flags that have their default value"),
        ]
        return savings.filter { $0.bytes > 0 }.sorted { $0.bytes > $1.bytes }
    }

    /// Whether a member only repeats the default: `"exclude": false`, `"caseSensitive": true`, `"percentEncoded":
    /// true`.
    private static func isDefault(_ member: JSONObject.Member) -> Bool {
        switch member.name {
        case "exclude": member.value.bool == false
        case "caseSensitive", "percentEncoded": member.value.bool == true
        default: false
        }
    }

    /// How many bytes leaving out some members of objects saves in compact style, their commas included.
    private static func saved(in objects: [JSONObject], by isLeftOut: (JSONObject.Member) -> Bool) -> Int {
        objects.reduce(0) { saved, object in
            let members = object.members.filter(isLeftOut)
            guard !members.isEmpty else { return saved }
            // The last member of an object has no comma.
            return members.reduce(saved + min(members.count, object.count - 1)) { $0 + $1.compactSize }
        }
    }
}

extension Linter {
    /// From three quarters of the limit on, people should know how much is left.
    private static let noticedSize = Association.maximumSize / 4 * 3

    func lintSize() {
        guard source.bytes.count > Self.noticedSize else { return }
        let savings = SizeSaving.savings(source.bytes, association.root)
        // From the advised size on, another finding says how large the file is.
        let size = source.bytes.count > Association.advisedSize ? nil : source.bytes.count
        guard size != nil || !savings.isEmpty else { return }
        add(.headroom(size: size, savings: savings), JSONPointer(), fix: withoutSpace)
    }

    /// The file in its shortest form, if that brings it below the limit.
    private var withoutSpace: Fix? {
        let size = source.bytes.count
        guard size > Association.maximumSize else { return nil }
        let compact = association.bytes
        guard compact.count <= Association.maximumSize else { return nil }
        let edit = Fix.Edit(offset: 0, length: size, text: String(decoding: compact, as: UTF8.self))
        return Fix(title: "Remove white space", keepsOutcomes: true, edits: [edit])
    }
}

extension JSONValue {
    /// The number of bytes of ``bytes(_:)`` in compact style, counted without writing them.
    var compactSize: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .number(let number): number.text.utf8.count
        case .string(let text): Self.size(of: text)
        case .array(let elements): elements.reduce(max(1, elements.count) + 1) { $0 + $1.compactSize }
        case .object(let object):
            object.members.reduce(max(1, object.count) + 1) { $0 + $1.compactSize }
        }
    }

    fileprivate static func size(of text: String) -> Int {
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

extension JSONObject.Member {
    /// Name, colon and value.
    fileprivate var compactSize: Int { JSONValue.size(of: name) + 1 + value.compactSize }
}

import StrictJSON

/// A way to make a file smaller, with the number of bytes that it saves.
struct SizeSaving {
    /// The number of bytes that it saves.
    let bytes: Int
    /// The way to save the bytes, as words after "by".
    let how: String

    /// The ways to make a file smaller, the most effective first. Each saving is computed separately. All except white
    /// space are computed for the file without white space.
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

    /// Whether a member only repeats the default: `"exclude": false`, `"caseSensitive": true` or `"percentEncoded":
    /// true`.
    private static func isDefault(_ member: JSONObject.Member) -> Bool {
        switch member.name {
        case "exclude": member.value.bool == false
        case "caseSensitive", "percentEncoded": member.value.bool == true
        default: false
        }
    }

    /// The number of bytes saved in compact form if some members of objects are left out, including their commas.
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
    /// The size in bytes from which lint reports how much space is left: three quarters of the limit.
    private static let noticedSize = Association.maximumSize / 4 * 3

    func lintSize() {
        guard source.bytes.count > Self.noticedSize else { return }
        let savings = SizeSaving.savings(source.bytes, association.root)
        // Above the advised size, another finding reports the size.
        let size = source.bytes.count > Association.advisedSize ? nil : source.bytes.count
        guard size != nil || !savings.isEmpty else { return }
        add(.headroom(size: size, savings: savings), JSONPointer(), fix: withoutSpace)
    }

    /// The file in its shortest form, if this form is within the limit.
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
    /// The size of ``bytes(_:)`` in compact form, computed without writing the bytes.
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
    /// The size of the name, the colon and the value.
    fileprivate var compactSize: Int { JSONValue.size(of: name) + 1 + value.compactSize }
}

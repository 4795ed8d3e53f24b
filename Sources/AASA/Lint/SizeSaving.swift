import StrictJSON

/// What would make a file smaller, and by how much.
struct SizeSaving {
    /// How many bytes it saves.
    let bytes: Int
    /// How, in words that follow "by".
    let how: String

    /// What would save bytes of a file, the most first; each by itself, without white space from the second on.
    static func savings(_ bytes: [UInt8], _ root: JSONObject) -> [SizeSaving] {
        let entries = root["applinks"]?["details"]?.array?.compactMap(\.object) ?? []
        let components = entries.flatMap { $0["components"]?.array?.compactMap(\.object) ?? [] }
        let savings = [
            SizeSaving(bytes: bytes.count - JSONValue.object(root).compactSize, how: "leaving out white space"),
            SizeSaving(bytes: saved(in: components) { $0.name == "comment" }, how: "leaving out comments"),
            SizeSaving(
                bytes: saved(in: entries.filter { $0["components"]?.array != nil }) { $0.name == "paths" },
                how: "leaving out \"paths\" beside \"components\""),
            SizeSaving(bytes: saved(in: components, by: isDefault), how: "leaving out what is the default"),
        ]
        return savings.filter { $0.bytes > 0 }.sorted { $0.bytes > $1.bytes }
    }

    /// `"exclude": false`, `"caseSensitive": true`, `"percentEncoded": true` say what is so anyway.
    private static func isDefault(_ member: JSONObject.Member) -> Bool {
        switch member.name {
        case "exclude": member.value.bool == false
        case "caseSensitive", "percentEncoded": member.value.bool == true
        default: false
        }
    }

    /// What leaving out some members of objects saves in compact style: the members, and the commas that go with them.
    private static func saved(in objects: [JSONObject], by isLeftOut: (JSONObject.Member) -> Bool) -> Int {
        objects.reduce(0) { saved, object in
            let members = object.members.filter(isLeftOut)
            guard !members.isEmpty else { return saved }
            // Of the last member of all, no comma goes.
            return members.reduce(saved + min(members.count, object.count - 1)) { $0 + $1.compactSize }
        }
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

/// The formatting of JSON.
public enum JSONStyle: Sendable, Hashable {
    /// No white space.
    case compact
    /// Two spaces per level, a space after each colon, and empty arrays and objects on one line.
    case pretty
}

extension JSONValue {
    /// The value as UTF-8 JSON. The same value always has the same bytes. Members keep their order. Only `"`, `\` and
    /// control characters are escaped (`\b \f \n \r \t`, others as `\u00xx`). There is no line end at the end.
    public func bytes(_ style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return writer.bytes
    }
}

/// Appends JSON to a buffer.
struct JSONWriter {
    let style: JSONStyle
    private(set) var bytes: [UInt8] = []
    private var level = 0

    init(style: JSONStyle) { self.style = style }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.text.utf8
        case .string(let text): write(text)
        case .array(let elements):
            writeList("[", "]", elements) { writer, element in writer.write(element) }
        case .object(let object):
            writeList("{", "}", object.members) { writer, member in
                writer.write(member.name)
                writer.bytes += (writer.style == .pretty ? ": " : ":").utf8
                writer.write(member.value)
            }
        }
    }

    private mutating func writeList<Item>(
        _ opening: UnicodeScalar, _ closing: UnicodeScalar, _ items: [Item], _ body: (inout JSONWriter, Item) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        level += 1
        for (place, item) in items.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            startLine()
            body(&self, item)
        }
        level -= 1
        if !items.isEmpty { startLine() }
        bytes.append(UInt8(ascii: closing))
    }

    private mutating func startLine() {
        guard style == .pretty else { return }
        bytes.append(0x0A)
        bytes += repeatElement(0x20, count: 2 * level)
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case ..<0x20:
                bytes += "\\u00".utf8
                bytes.append(Self.hex(byte >> 4))
                bytes.append(Self.hex(byte & 0x0F))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}

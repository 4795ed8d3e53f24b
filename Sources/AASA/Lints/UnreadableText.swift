import StrictJSON

/// What a text that is no JSON looks like, for a finding that names the cause.
enum UnreadableText {
    /// A page of HTML, as servers answer that do not have the file.
    case page
    /// A comma behind the last element or member.
    case trailingComma

    /// Nil if it looks like nothing known.
    init?(_ bytes: [UInt8], _ error: JSONError) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if text.drop(while: isSpace).first == UInt8(ascii: "<") {
            self = .page
            return
        }
        let offset = error.position.offset
        guard bytes.indices.contains(offset), "]}".utf8.contains(bytes[offset]),
            bytes[..<offset].last(where: { !isSpace($0) }) == UInt8(ascii: ",")
        else { return nil }
        self = .trailingComma
    }
}

extension Linter {
    /// RFC 8259, section 8.1: a JSON text must not begin with one. Whether Apple's systems take it is open.
    func lintByteOrderMark() {
        guard source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        add(
            .byteOrderMark, JSONPointer(),
            fix: Fix(
                title: "Remove it", keepsOutcomes: true, edits: [Fix.Edit(offset: 0, length: 3, text: "")]))
    }
}

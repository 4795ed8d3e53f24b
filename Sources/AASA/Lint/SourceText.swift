import StrictJSON

/// The text of a parsed file. Its functions create edits that change only the affected part of the text.
struct SourceText {
    let bytes: [UInt8]
    let json: JSONDocument

    /// Replaces a value.
    func replacement(of pointer: JSONPointer, with value: JSONValue) -> Fix.Edit? {
        guard let range = self.range(of: pointer) else { return nil }
        let text = String(decoding: value.bytes(), as: UTF8.self)
        return Fix.Edit(offset: range.lowerBound, length: range.count, text: text)
    }

    /// Renames a member.
    func renaming(_ pointer: JSONPointer, to name: String) -> Fix.Edit? {
        guard let offset = json.keyPosition(of: pointer)?.offset, let end = self.end(of: offset) else { return nil }
        let text = String(decoding: JSONValue.string(name).bytes(), as: UTF8.self)
        return Fix.Edit(offset: offset, length: end - offset, text: text)
    }

    /// Removes a member or an element, with its comma and white space.
    func removal(of pointer: JSONPointer) -> Fix.Edit? {
        guard let range = wholeRange(of: pointer) else { return nil }
        let next = skipSpace(range.upperBound)
        if byte(next) == UInt8(ascii: ",") {
            let end = skipSpace(next + 1)
            return Fix.Edit(offset: range.lowerBound, length: end - range.lowerBound, text: "")
        }
        // For the last member, remove the comma before it, if any.
        var start = range.lowerBound
        while let before = byte(start - 1), Self.isSpace(before) { start -= 1 }
        if byte(start - 1) == UInt8(ascii: ",") { start -= 1 } else { start = range.lowerBound }
        return Fix.Edit(offset: start, length: range.upperBound - start, text: "")
    }

    /// Inserts a copy of an element's text before another element of the same array.
    func copy(of element: JSONPointer, before other: JSONPointer) -> Fix.Edit? {
        guard let range = self.range(of: element), let place = self.range(of: other)?.lowerBound else { return nil }
        var lineStart = place
        while let before = byte(lineStart - 1), before == 0x20 || before == 0x09 { lineStart -= 1 }
        let startsLine = byte(lineStart - 1) == 0x0A
        let separator = startsLine ? ",\n" + String(decoding: bytes[lineStart..<place], as: UTF8.self) : ", "
        let text = String(decoding: bytes[range], as: UTF8.self)
        return Fix.Edit(offset: place, length: 0, text: text + separator)
    }

    /// Converts an object of objects to an array of them, and adds each name as the member `appID`. The rest of the
    /// text stays unchanged.
    func elements(ofMembers names: [String], of pointer: JSONPointer) -> [Fix.Edit]? {
        guard let whole = range(of: pointer) else { return nil }
        var edits = [Fix.Edit(offset: whole.lowerBound, length: 1, text: "[")]
        for name in names {
            let member = pointer.appending(name)
            guard let key = json.keyPosition(of: member)?.offset, let value = range(of: member) else { return nil }
            let isEmpty = skipSpace(value.lowerBound + 1) == value.upperBound - 1
            let id = String(decoding: JSONValue.string(name).bytes(), as: UTF8.self)
            let space = byte(value.lowerBound + 1).map(Self.isSpace) == true ? "" : " "
            let text = "{\"appID\": \(id)" + (isEmpty ? "" : "," + space)
            edits.append(Fix.Edit(offset: key, length: value.lowerBound + 1 - key, text: text))
        }
        edits.append(Fix.Edit(offset: whole.upperBound - 1, length: 1, text: "]"))
        return edits
    }

    private func range(of pointer: JSONPointer) -> Range<Int>? {
        guard let offset = json.position(of: pointer)?.offset, let end = self.end(of: offset) else { return nil }
        return offset..<end
    }

    /// The range of a value, including its name if it is a member.
    private func wholeRange(of pointer: JSONPointer) -> Range<Int>? {
        guard let range = self.range(of: pointer) else { return nil }
        return (json.keyPosition(of: pointer)?.offset ?? range.lowerBound)..<range.upperBound
    }

    /// The end of the value that begins at an offset. The text is valid JSON, so brackets are balanced.
    private func end(of offset: Int) -> Int? {
        switch byte(offset) {
        case nil: return nil
        case UInt8(ascii: "\""): return endOfString(offset)
        case UInt8(ascii: "["), UInt8(ascii: "{"): return endOfList(offset)
        default: return bytes[offset...].firstIndex { Self.isSpace($0) || ",]}".utf8.contains($0) } ?? bytes.count
        }
    }

    private func endOfList(_ start: Int) -> Int? {
        var index = start
        var depth = 0
        while let byte = byte(index) {
            if byte == UInt8(ascii: "\"") {
                index = endOfString(index)
                continue
            }
            index += 1
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private func endOfString(_ start: Int) -> Int {
        var index = start + 1
        while let byte = byte(index), byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private func skipSpace(_ start: Int) -> Int {
        var index = start
        while let byte = byte(index), Self.isSpace(byte) { index += 1 }
        return index
    }

    private func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

import StrictJSON

/// Finds several patterns in one string, such as `"/a/*, /b/*"`. A string is one pattern [DOC].
extension Linter {
    /// Reports several patterns in one string. Returns whether there are several.
    func lintSeveralPatterns(_ pattern: WrittenPattern) -> Bool {
        guard pattern.part == .path else { return false }
        let patterns = PatternList.patterns(in: pattern.text, isDecoded: pattern.isDecoded)
        guard patterns.count > 1 else { return false }
        add(
            .severalPatterns(patterns, isInPaths: pattern.isInPaths), pattern.pointer,
            fix: pattern.isInPaths ? splitting(pattern, patterns) : nil)
        return true
    }

    /// Splits the string into separate elements. All of them exclude if the first one does.
    private func splitting(_ pattern: WrittenPattern, _ patterns: [String]) -> Fix? {
        let texts = patterns.map { text in
            PathEntry(.string(text))?.excludes == true ? text : pattern.prefix + text
        }
        let values = texts.map { String(decoding: JSONValue.string($0).bytes(), as: UTF8.self) }
        return source.replacement(of: pattern.pointer, with: .null).map { edit in
            Fix(
                title: "Write \(values.count) strings", keepsOutcomes: false,
                edits: [Fix.Edit(offset: edit.offset, length: edit.length, text: values.joined(separator: ", "))])
        }
    }
}

/// A list of patterns that was written as one string.
private enum PatternList {
    /// The patterns of a list, or the text itself if it is not a list. URLs can contain commas and semicolons, so each
    /// text after a separator must begin like a path.
    static func patterns(in text: String, isDecoded: Bool) -> [String] {
        let bytes = Array(text.utf8)
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index < bytes.count {
            guard isSeparator(bytes[index]) else {
                index += 1
                continue
            }
            let end = bytes[index...].firstIndex { !isSeparator($0) } ?? bytes.count
            let separator = bytes[index..<end]
            // `NOT` belongs to the path after it.
            let isNot = bytes[start..<index].elementsEqual("NOT".utf8)
            if index > start, !isNot, separates(separator, isDecoded: isDecoded),
                beginsPath(bytes[end...], after: separator)
            {
                parts.append(bytes[start..<index])
                start = end
            }
            index = end
        }
        return (parts + [bytes[start...]]).map { Characters.trimmed(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether a text separates two patterns. A decoded path may contain spaces, commas and semicolons, so its
    /// separator must be such a mark together with a space.
    private static func separates(_ separator: ArraySlice<UInt8>, isDecoded: Bool) -> Bool {
        !isDecoded || (separator.contains(where: isSpace) && !separator.allSatisfy(isSpace))
    }

    private static func beginsPath(_ text: ArraySlice<UInt8>, after separator: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "/") || text.starts(with: "NOT /".utf8) { return true }
        return text.first == UInt8(ascii: "*") && separator.contains(where: isSpace)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { ",;|".utf8.contains(byte) || isSpace(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

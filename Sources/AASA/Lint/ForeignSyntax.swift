/// Wildcards and placeholders of other syntaxes: regular expressions, routes, templates. "No `[...]`, `{...}`, no
/// escape syntax": patterns support `*`, `?` and `$(name)` [DOC].
struct ForeignSyntax {
    /// The matched text, as written.
    let text: String
    /// Whether such text is probably a wildcard or placeholder, because URLs hardly ever contain it. Otherwise it may
    /// be literal.
    let isLikely: Bool
    /// The name inside a placeholder, or `nil` if the text is not a placeholder.
    var name: String?
    /// Whether the text marks the beginning or the end, such as `^` in regular expressions.
    var isAnchor = false

    /// The remedy, as a sentence for people.
    var remedy: String {
        if isAnchor { return "Remove it: a pattern is always compared with the whole text." }
        return "Write \"*\", or \"$(\(name ?? "name"))\" and list its values in \"substitutionVariables\"."
    }

    /// The maximum distance between a pair of brackets.
    private static let reach = 64

    /// The first text of another syntax in a pattern or a value. A likely one is preferred to a possible one.
    static func find(in text: String, isPath: Bool) -> ForeignSyntax? {
        let bytes = Array(text.utf8)
        var possible: ForeignSyntax?
        for index in bytes.indices {
            guard let found = Self.at(index, bytes, isPath: isPath) else { continue }
            if found.isLikely { return found }
            possible = possible ?? found
        }
        return possible
    }

    private static func at(_ index: Int, _ bytes: [UInt8], isPath: Bool) -> ForeignSyntax? {
        let isStartOfPart = index == 0 || bytes[index - 1] == UInt8(ascii: "/")
        let next = index + 1 < bytes.count ? bytes[index + 1] : nil
        switch bytes[index] {
        case UInt8(ascii: "{"): return bracketed(index, UInt8(ascii: "}"), bytes)
        case UInt8(ascii: "<"): return bracketed(index, UInt8(ascii: ">"), bytes)
        case UInt8(ascii: "["):
            guard let found = bracketed(index, UInt8(ascii: "]"), bytes), found.text.utf8.count > 2 else { return nil }
            return isPath || found.text.utf8.contains(UInt8(ascii: "-")) ? found : nil
        case UInt8(ascii: "(") where index == 0 || bytes[index - 1] != UInt8(ascii: "$"):
            guard let found = bracketed(index, UInt8(ascii: ")"), bytes),
                found.text.utf8.contains(where: "|[\\+".utf8.contains) || found.text.utf8.starts(with: "(.".utf8)
                    || found.text.utf8.starts(with: "(?:".utf8)
            else { return nil }
            return ForeignSyntax(text: found.text, isLikely: true)
        case UInt8(ascii: "^") where index == 0: return ForeignSyntax(text: "^", isLikely: true, isAnchor: true)
        case UInt8(ascii: "$") where next == nil && index > 0:
            return ForeignSyntax(text: "$", isLikely: true, isAnchor: true)
        case UInt8(ascii: ".") where isStartOfPart && isPath:
            guard next == UInt8(ascii: "*") || next == UInt8(ascii: "+") else { return nil }
            return ForeignSyntax(text: next == UInt8(ascii: "*") ? ".*" : ".+", isLikely: false)
        case UInt8(ascii: ":") where isStartOfPart && isPath, UInt8(ascii: "$") where isStartOfPart && isPath:
            let name = bytes[(index + 1)...].prefix(reach).prefix(while: isWord)
            guard let first = name.first, !(0x30...0x39).contains(first) else { return nil }
            let word = String(decoding: name, as: UTF8.self)
            return ForeignSyntax(
                text: String(decoding: [bytes[index]] + name, as: UTF8.self), isLikely: false, name: word)
        default: return nil
        }
    }

    /// The text in brackets, including the brackets and a `$` before them.
    private static func bracketed(_ index: Int, _ closing: UInt8, _ bytes: [UInt8]) -> ForeignSyntax? {
        let head = bytes[index...].prefix(reach)
        guard var end = head.firstIndex(of: closing), end > index + 1 else { return nil }
        if bytes[index + 1] == bytes[index], end + 1 < bytes.count, bytes[end + 1] == closing { end += 1 }
        let start = index > 0 && bytes[index - 1] == UInt8(ascii: "$") ? index - 1 : index
        let isBracket = { (byte: UInt8) in byte == bytes[index] || byte == closing || byte == UInt8(ascii: "$") }
        let inner = bytes[start...end].filter { !isBracket($0) }
        let name = !inner.isEmpty && inner.allSatisfy(isWord) ? String(decoding: inner, as: UTF8.self) : nil
        return ForeignSyntax(text: String(decoding: bytes[start...end], as: UTF8.self), isLikely: true, name: name)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
}

extension Linter {
    /// Reports text of another syntax. Returns whether the pattern has such text that is hardly ever literal.
    func lintForeignSyntax(_ pattern: WrittenPattern) -> Bool {
        guard let found = ForeignSyntax.find(in: pattern.text, isPath: pattern.part == .path) else { return false }
        add(.foreignSyntax(found), pattern.pointer)
        return found.isLikely
    }
}

import StrictJSON

/// Checks that path patterns contain only text that can occur in a URL's path.
extension Linter {
    func lintPath(_ pattern: WrittenPattern) {
        // A URL's path ends at the first `?` or `#` (RFC 3986, section 3.3).
        if !pattern.isDecoded, pattern.literals.contains(0x23) {
            add(.fragmentInPath(isInPaths: pattern.isInPaths), pattern.pointer)
        }
        lintURL(pattern)
        lintShortPath(pattern)
        guard !lintQuery(pattern) else { return }
        if let bare = nameBeforeWildcard(pattern) {
            add(
                .wildcardAfterName(bare: bare), pattern.pointer,
                fix: rewriting(
                    pattern, String(pattern.text.dropLast(2)) + "/?*", "Write \"/?*\"", keepsOutcomes: false))
        }
    }

    /// "`a` against `/a`: none (1 char is not normalised)"; "`""`: `/` match, `/a` none" [REP].
    private func lintShortPath(_ pattern: WrittenPattern) {
        let text = pattern.text
        guard text.unicodeScalars.count < 2, text != "*", text != "/" else { return }
        add(
            .shortPath(text), pattern.pointer,
            fix: rewriting(pattern, "/" + text, "Write \"/\(text)\"", keepsOutcomes: text.isEmpty))
    }

    /// Reports `?name=`, which is a query. Returns whether the path contains one.
    private func lintQuery(_ pattern: WrittenPattern) -> Bool {
        guard Self.asksForQuery(pattern.text) else { return false }
        add(.queryInPath(isInPaths: pattern.isInPaths), pattern.pointer)
        return true
    }

    /// Whether a text contains `?name=`.
    static func asksForQuery(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let name = bytes[(mark + 1)...].prefix { byte in
            byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (0x30...0x39).contains(byte)
                || "_-.%[]$".utf8.contains(byte)
        }
        return !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: "=")
    }

    /// "`/buy?*` against `/buy`: match: `?` eats the slash added to the URL path" [INF].
    private func nameBeforeWildcard(_ pattern: WrittenPattern) -> String? {
        let tokens = pattern.shape.tokens
        guard tokens.count > 2, case .run = tokens[tokens.count - 1], case .one = tokens[tokens.count - 2] else {
            return nil
        }
        switch tokens[tokens.count - 3] {
        case .character(0x2F), .one, .run: return nil
        case .character, .variable: return String(pattern.text.dropLast(2))
        }
    }

    /// A URL with an encoded slash that a component matches. It exists only if the component decodes URLs and has a
    /// slash between two names: then "`/a/b` matches `/a%2Fb`" [OBS].
    func urlWithEncodedSlash(_ component: JSONObject, _ reading: ComponentReading) -> String? {
        guard let text = component["/"]?.string, !reading.percentEncoded else { return nil }
        let normalized = PathNormalization.normalized(Array(text.utf8))
        let shape = PatternShape(normalized, isFolded: false, variables: variables)
        guard let sample = shape.sample, let slash = sample.dropFirst().dropLast().firstIndex(of: 0x2F) else {
            return nil
        }
        let encoded = sample[..<slash] + "%2F".unicodeScalars.map(\.value) + sample[(slash + 1)...]
        return PatternShape.text(encoded)
    }
}

import StrictJSON

/// Finds path patterns with extra text in front: a scheme, a host, or the `NOT` of `paths`.
extension Linter {
    /// Reports `https://…` and `www.example.com/…`. Only the path is compared.
    func lintURL(_ pattern: WrittenPattern) {
        let text = Array(pattern.text.utf8)
        let scheme = ["https://", "http://", "*://"].first { pattern.text.lowercased().utf8.starts(with: $0.utf8) }
        let rest = text.dropFirst(scheme?.utf8.count ?? 0)
        let host = rest.prefix { $0 != UInt8(ascii: "/") }
        guard scheme != nil || (host.count < rest.count && Self.isHost(host)) else { return }
        let path = host.count < rest.count ? String(decoding: rest.dropFirst(host.count), as: UTF8.self) : "/"
        let title = scheme == nil ? "Remove the host" : "Remove scheme and host"
        // The author probably wanted to exclude another site. Without the host, the rule would exclude every page of
        // this site.
        let excludesAll = pattern.excludes && ["/", "/*"].contains(path)
        add(
            .urlInPath(
                host: scheme == nil ? String(decoding: host, as: UTF8.self) : nil, excludesAll: excludesAll),
            pattern.pointer, fix: excludesAll ? nil : rewriting(pattern, path, title, keepsOutcomes: false))
    }

    /// Whether a text looks like `www.example.com`: labels, the last with two letters or more. File names look similar,
    /// but no slash follows them.
    private static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
        guard labels.count > 1, let last = labels.last, last.count > 1, last.allSatisfy(isLetter) else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Reports `NOT ` in `components`, where it is part of the path. Returns whether the pattern contains it.
    func lintNotInComponents(_ pattern: WrittenPattern) -> Bool {
        guard !pattern.isInPaths, pattern.part == .path else { return false }
        if lintExclamationMark(pattern) { return true }
        guard let entry = PathEntry(.string(pattern.text)), entry.excludes else { return false }
        add(.notInComponents, pattern.pointer, fix: excluding(pattern, entry.path))
        return true
    }

    /// Reports `!/path`, which excludes in other syntaxes. Returns whether the pattern has this form.
    func lintExclamationMark(_ pattern: WrittenPattern) -> Bool {
        guard pattern.text.utf8.first == UInt8(ascii: "!") else { return false }
        let path = Characters.trimmed(String(pattern.text.dropFirst()))
        guard let first = path.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "*") else {
            return false
        }
        let fix =
            pattern.isInPaths
            ? source.replacement(of: pattern.pointer, with: .string("NOT \(path)")).map {
                Fix(title: "Write \"NOT \"", keepsOutcomes: false, edits: [$0])
            } : excluding(pattern, path)
        add(.exclamationMark(isInPaths: pattern.isInPaths), pattern.pointer, fix: fix)
        return true
    }

    /// Converts the rule to an exclusion of a path. Returns `nil` if the rule already has `exclude`.
    private func excluding(_ pattern: WrittenPattern, _ path: String) -> Fix? {
        let hasFlag = pattern.pointer.parent.map { association.root[$0]?["exclude"] != nil } ?? true
        guard !hasFlag else { return nil }
        return source.replacement(of: pattern.pointer, with: .string(path)).map { edit in
            Fix(
                title: "Add \"exclude\": true", keepsOutcomes: false,
                edits: [Fix.Edit(offset: edit.offset, length: edit.length, text: edit.text + ", \"exclude\": true")])
        }
    }
}

import StrictJSON

/// Checks that each pattern can match, and matches the text that it shows.
extension Linter {
    func lintPatterns() {
        if let defaults = association.defaults(os: .latest) {
            lintComponent(defaults, JSONPointer(tokens: ["applinks", "defaults"]), defaults: [])
        }
        let applinks = JSONPointer(tokens: ["applinks"])
        let beside = causes.unreadMember(
            of: association.applinks ?? JSONObject(), at: applinks, meaning: Self.keysOfRules)
        for entry in entries {
            let defaults = entry.defaults(association)
            if let own = entry.reading.defaults {
                let outer = [association.defaults(os: .latest)].compactMap(\.self)
                lintComponent(own, entry.reading.pointer.appending("defaults"), defaults: outer)
            }
            switch entry.reading.patterns {
            case .unrestricted:
                // "Neither `components` nor `paths`: the entry matches every URL" [REP]+[COMM].
                if association.applinks?["details"] != nil { lintUnrestricted(entry.reading, beside) }
            case .components(let components, let pointer):
                for (index, component) in components.enumerated() {
                    guard case .object(let object) = component else { continue }
                    lintComponent(object, pointer.appending(index), defaults: defaults)
                }
            case .paths(let paths, let pointer):
                lintDefaultsOverPaths(entry.reading)
                for (index, path) in paths.enumerated() {
                    let place = pointer.appending(index)
                    guard let pattern = writtenPath(path, place, defaults: defaults) else { continue }
                    let isNotMalformed = lintNot(path.string ?? "", place) || lintExclamationMark(pattern)
                    lintPattern(pattern, isNotMalformed: isNotMalformed)
                    if !pattern.shape.variables.isEmpty { add(.variableInPaths, place) }
                }
            }
        }
    }

    /// "Current OS parses `paths` into the same pattern objects, which inherit `defaults`" [REP].
    private func lintDefaultsOverPaths(_ entry: EntryReading) {
        let concernPaths = { (defaults: JSONObject) in
            ComponentKey.allCases.contains { $0 != .path && $0 != .comment && defaults[$0.rawValue] != nil }
        }
        if let own = entry.defaults, concernPaths(own) {
            add(.defaultsOverPaths, key: entry.pointer.appending("defaults"))
        }
        if let whole = association.defaults(os: .latest), concernPaths(whole), !areDefaultsReported {
            areDefaultsReported = true
            add(.defaultsOverPaths, key: JSONPointer(tokens: ["applinks", "defaults"]))
        }
    }

    private static let keysOfRules = ["components", "paths"]

    /// - Parameter beside: A list of rules next to `details` that was probably meant for the entries.
    private func lintUnrestricted(_ entry: EntryReading, _ beside: JSONPointer?) {
        let keys = Self.keysOfRules
        let object = association.root[entry.pointer]?.object ?? JSONObject()
        if let member = causes.unreadMember(of: object, at: entry.pointer, meaning: keys) {
            return add(.unrestrictedEntry(unread: member.tokens.last), behind: member, meaning: keys)
        }
        add(.unrestrictedEntry(unread: beside?.tokens.last), entry.pointer)
    }

    private func lintComponent(_ component: JSONObject, _ pointer: JSONPointer, defaults: [JSONObject]) {
        let reading = ComponentReading(.object(component), defaults: defaults, os: .latest)
        for pattern in writtenPatterns(in: component, pointer, reading) { lintPattern(pattern) }
        lintQueryItems(component, pointer, reading)
        if let url = urlWithEncodedSlash(component, reading) {
            add(.decodedSlash(url: url), pointer.appending("/"))
        }
    }

    private func lintPattern(_ pattern: WrittenPattern, isNotMalformed: Bool = false) {
        let pointer = pattern.pointer
        if !pattern.isDecoded {
            for variable in pattern.shape.variables where !variable.isPredefined {
                uses[Array(variable.name.utf8), default: []].insert(pattern.part)
            }
        }
        switch pattern.shape.defect {
        case .undefinedVariable(let name): add(.undefinedVariable(name), pointer)
        case .unterminatedVariable: add(.unterminatedVariable, pointer)
        case nil: break
        }
        // "Backslash: accepts any one character and skips the next pattern character. Treat as forbidden" [REP].
        if pattern.shape.hasBackslash { add(.backslash, pointer) }
        // If the whole pattern has a finding, findings about its characters are not useful.
        if !isNotMalformed, !lintNotInComponents(pattern), !lintForeignSyntax(pattern), !lintSeveralPatterns(pattern) {
            lintCharacters(pattern)
        }
        if hasDoubleStar(pattern) {
            let isWhole = pattern.part == .path && pattern.text.utf8.allSatisfy { $0 == 0x2A }
            let excludesNearlyAll = isWhole && pattern.excludes
            add(
                .doubleStar(isWhole: isWhole, excludes: pattern.excludes), pointer,
                fix: excludesNearlyAll ? nil : singleStars(pattern, isWhole: isWhole))
        }
        lintLocaleVariables(pattern)
        switch pattern.part {
        case .path: lintPath(pattern)
        case .query:
            lintMark("?", pattern)
            lintQueryText(pattern)
        case .fragment: lintMark("#", pattern)
        case .queryItem: break
        }
    }

    /// "No leading `#` in the pattern"; the query is compared "without the `?`" [OBS].
    private func lintMark(_ mark: Character, _ pattern: WrittenPattern) {
        // `?*` and `??` are intentional wildcards.
        guard pattern.text.first == mark, let second = pattern.text.dropFirst().unicodeScalars.first,
            second != "*", second != "?"
        else { return }
        add(
            .leadingMark(String(mark), part: pattern.part.rawValue), pattern.pointer,
            fix: rewriting(
                pattern, String(pattern.text.dropFirst()), "Remove the \"\(mark)\"", keepsOutcomes: false))
    }

    private func hasDoubleStar(_ pattern: WrittenPattern) -> Bool {
        zip(pattern.text.utf8, pattern.text.utf8.dropFirst()).contains { $0 == (0x2A, 0x2A) }
    }

    /// "Runs collapse" [DOC]/[OBS]; but the path `**` "becomes `/*/`" [REP].
    private func singleStars(_ pattern: WrittenPattern, isWhole: Bool) -> Fix? {
        // A backslash escapes the next character, and stars in a variable's name are not wildcards.
        guard !pattern.shape.hasBackslash, pattern.shape.variables.isEmpty, pattern.shape.defect == nil else {
            return nil
        }
        var bytes: [UInt8] = []
        for byte in pattern.text.utf8 where !(byte == 0x2A && bytes.last == 0x2A) { bytes.append(byte) }
        let text = String(decoding: bytes, as: UTF8.self)
        return rewriting(pattern, text, "Write one star", keepsOutcomes: !isWhole)
    }

    /// "Both cases: open" and "`GB` is in, `UK` is not".
    private func lintLocaleVariables(_ pattern: WrittenPattern) {
        for variable in pattern.shape.variables
        where variable.isPredefined && (variable.name == "region" || variable.name == "lang") {
            if !pattern.shape.isFolded {
                return add(.localeVariable(variable.name, isCaseOpen: true), pattern.pointer)
            }
            if variable.name == "region", mentionsUK {
                return add(.localeVariable("region", isCaseOpen: false), pattern.pointer)
            }
        }
    }

    /// Reports a malformed `NOT`. The prefix test "is case-insensitive (`not /x` excludes too), exactly one space is
    /// consumed, `NOT/x` is a literal" [REP]. Returns whether it has added a finding.
    private func lintNot(_ text: String, _ pointer: JSONPointer) -> Bool {
        let bytes = Array(text.utf8)
        let word = Array(bytes.prefix(3))
        let isNot = word.map { $0 & 0xDF } == Array("NOT".utf8)
        guard isNot, bytes.count > 3, bytes[3] == 0x20 || bytes[3] == 0x2F || bytes[3] == 0x09 else { return false }
        let path = String(decoding: bytes.dropFirst(3).drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
        let right = "NOT \(path)"
        guard right != text else { return false }
        let edit = source.replacement(of: pointer, with: .string(right))
        func fix(keepsOutcomes: Bool) -> Fix? {
            edit.map { Fix(title: "Write \"NOT \"", keepsOutcomes: keepsOutcomes, edits: [$0]) }
        }
        if bytes[3] != 0x20 {
            add(
                .malformedNot(effect: "as written, it is part of the path and excludes nothing"), pointer,
                fix: fix(keepsOutcomes: false))
        } else if bytes[4...].first == 0x20 || bytes[4...].first == 0x09 {
            add(
                .malformedNot(effect: "as written, the path begins with a space, which no URL has"), pointer,
                fix: fix(keepsOutcomes: false))
        } else {
            add(
                .malformedNot(effect: "other spellings are only reported to work"), pointer,
                fix: fix(keepsOutcomes: true))
        }
        return true
    }

    /// Replaces a pattern.
    func rewriting(_ pattern: WrittenPattern, _ text: String, _ title: String, keepsOutcomes: Bool) -> Fix? {
        source.replacement(of: pattern.pointer, with: pattern.value(text)).map {
            Fix(title: title, keepsOutcomes: keepsOutcomes, edits: [$0])
        }
    }
}

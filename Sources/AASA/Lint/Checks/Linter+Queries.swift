import StrictJSON

/// Checks that each query item has a condition and a name that URLs can contain.
extension Linter {
    func lintQueryItems(_ component: JSONObject, _ pointer: JSONPointer, _ reading: ComponentReading) {
        for (key, part) in [(ComponentKey.query, "query"), (.fragment, "fragment")] {
            lintAnything(component, key, part, pointer.appending(key.rawValue), reading)
        }
        guard case .object(let items)? = component["?"] else { return }
        let place = pointer.appending("?")
        for item in items.members {
            guard let text = item.value.string else { continue }
            let itemPointer = place.appending(item.name)
            // "Name absent: compared as "". `{"q":"*"}` therefore constrains nothing; `exclude` with `{"web":"*"}`
            // excludes everything" [DOC WWDC19]/[OBS].
            if Self.isAnything(text) {
                add(
                    .optionalQueryItem("\"\(item.name)\"", excludes: reading.excludes), itemPointer,
                    fix: required(itemPointer))
            }
            // "`"*"` and `""` match an absent item, `"?*"` and literals do not" [OBS].
            if text.isEmpty || text == "?" { add(.narrowQueryItem(item.name, pattern: text), itemPointer) }
            lintName(item.name, text, key: itemPointer, reading)
        }
    }

    /// Reports patterns that match anything. "`"*"` matches no query", and no fragment [OBS]. Such a pattern is useful
    /// only if it overrides a pattern in `defaults`.
    private func lintAnything(
        _ component: JSONObject, _ key: ComponentKey, _ part: String, _ pointer: JSONPointer,
        _ reading: ComponentReading
    ) {
        guard let text = component[key.rawValue]?.string, Self.isAnything(text), !reading.overridesDefaults(key) else {
            return
        }
        add(.optionalQueryItem("a \(part)", excludes: reading.excludes), pointer, fix: required(pointer))
    }

    /// Whether a pattern consists only of stars.
    private static func isAnything(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// "String: pattern over the whole raw query: order and extra items matter" [OBS].
    func lintQueryText(_ pattern: WrittenPattern) {
        let bytes = Array(pattern.text.utf8)
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        let hasValue = name.count < bytes.count
        let isName = hasValue ? !name.contains(where: "*?&".utf8.contains) : name.allSatisfy(Self.isOfName)
        guard !name.isEmpty, isName else { return }
        add(
            .queryAsText(
                item: String(decoding: name, as: UTF8.self), hasValue: hasValue, excludes: pattern.excludes),
            pattern.pointer)
    }

    /// Whether the character can be part of a query item's name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_.[]".utf8.contains(byte)
    }

    private func encoding(_ name: String, _ pointer: JSONPointer) -> Fix? {
        source.renaming(pointer, to: Characters.encoded(name, .queryItem)).map {
            Fix(title: "Percent-encode it", keepsOutcomes: false, edits: [$0])
        }
    }

    private static func bracketsEncoded(_ name: String) -> String {
        name.unicodeScalars.map { $0 == "[" || $0 == "]" ? Characters.encoded(String($0)) : String($0) }.joined()
    }

    private func required(_ pointer: JSONPointer) -> Fix? {
        source.replacement(of: pointer, with: "?*").map {
            Fix(title: "Require a value: \"?*\"", keepsOutcomes: false, edits: [$0])
        }
    }

    /// "Names are literals: no wildcards, no variables [REP]; taken in encoded or decoded form according to
    /// `percentEncoded`" [REP]/[INF].
    private func lintName(
        _ name: String, _ pattern: String, key pointer: JSONPointer, _ reading: ComponentReading
    ) {
        let bytes = Array(name.utf8)
        if bytes.contains(UInt8(ascii: "*")) || bytes.contains(UInt8(ascii: "?")) {
            add(.literalQueryName(name, reason: "\"*\" and \"?\" are not wildcards in names"), key: pointer)
        } else if VariableTable.holdsVariable(bytes) {
            add(.literalQueryName(name, reason: "\"$(…)\" is not a variable in names"), key: pointer)
        } else if reading.percentEncoded, bytes.contains(where: "&=#".utf8.contains) {
            add(.literalQueryName(name, reason: "no name in a URL contains \"&\", \"=\" or \"#\""), key: pointer)
        } else if reading.percentEncoded,
            let scalar = name.unicodeScalars.first(where: { Characters.isNeverBare($0.value, .queryItem) })
        {
            add(
                .unencodedCharacter(
                    Characters.shown(scalar.value), encoded: Characters.encoded(String(scalar)), place: .name),
                key: pointer, fix: encoding(name, pointer))
        } else if reading.percentEncoded, bytes.contains(where: "[]".utf8.contains) {
            add(.bracketedName(name, encoded: Self.bracketsEncoded(name)), key: pointer)
        } else if !reading.caseSensitive, bytes.contains(where: { (0x61...0x7A).contains($0 | 0x20) }),
            !Self.isAnything(pattern)
        {
            // "Compared exactly, even with `caseSensitive: false` [REP] (another matcher folds them: open)". `*`
            // matches any value and a missing item.
            add(.foldedQueryName(name), key: pointer)
        }
    }
}

import StrictJSON

/// Checks that values of variables can occur in the parts of a URL whose patterns use the variable.
extension Linter {
    func lintVariableValues() {
        guard case .object(let object)? = association.applinks?["substitutionVariables"] else { return }
        let place = JSONPointer(tokens: ["applinks", "substitutionVariables"])
        for member in object.members {
            guard let parts = uses[Array(member.name.utf8)] else { continue }
            for (index, element) in (member.value.array ?? []).enumerated() {
                guard let text = element.string, !VariableTable.holdsVariable(Array(text.utf8)) else { continue }
                lintValue(text, place.appending(member.name).appending(index), parts)
            }
        }
    }

    private func lintValue(_ text: String, _ pointer: JSONPointer, _ parts: Set<WrittenPattern.Part>) {
        // "Values: the empty string is allowed" [REP].
        if text.isEmpty { return add(.emptyValue, pointer) }
        if text.utf8.contains(UInt8(ascii: "\\")) { return add(.backslash, pointer) }
        if let found = ForeignSyntax.find(in: text, isPath: parts == [.path]), found.isLikely {
            return add(.foreignSyntax(found), pointer)
        }
        if parts.contains(.path), Self.asksForQuery(text) { return add(.queryInPath(isInPaths: false), pointer) }
        let rewriting = { [source] (text: String, title: String) in
            source.replacement(of: pointer, with: .string(text)).map {
                Fix(title: title, keepsOutcomes: false, edits: [$0])
            }
        }
        let isNeverBare = { (scalar: Unicode.Scalar) in
            parts.contains { Characters.isNeverBare(scalar.value, $0) || (scalar == "#" && $0 == .path) }
        }
        if let scalar = text.unicodeScalars.first(where: isNeverBare) {
            let encoded = text.unicodeScalars.map { isNeverBare($0) ? Characters.encoded(String($0)) : String($0) }
            add(
                .unencodedCharacter(
                    Characters.shown(scalar.value), encoded: Characters.encoded(String(scalar)), place: .value),
                pointer, fix: rewriting(encoded.joined(), "Percent-encode it"))
        }
        lintEscapes(text, pointer, fix: rewriting)
    }
}

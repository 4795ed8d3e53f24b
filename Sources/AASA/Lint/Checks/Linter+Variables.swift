import StrictJSON

/// Checks that each of the `substitutionVariables` has a usable name and values, and is used.
extension Linter {
    func lintVariables() {
        guard case .object(let object)? = association.applinks?["substitutionVariables"] else { return }
        let place = JSONPointer(tokens: ["applinks", "substitutionVariables"])
        let used = usedVariables
        for member in object.members {
            let pointer = place.appending(member.name)
            lintName(member.name, key: pointer)
            lintValues(member.value, pointer)
            // "A custom variable with a predefined name shadows it" [REP].
            if PredefinedVariables.values(of: Array(member.name.utf8)) != nil {
                add(.shadowingVariable(member.name), key: pointer)
            }
            if !used.contains(Array(member.name.utf8)) {
                add(.unusedVariable(member.name), key: pointer, fix: removal(of: pointer))
            }
        }
        for variable in variables.custom where variable.values.isEmpty {
            add(.emptyVariable(variable.name), key: place.appending(variable.name))
        }
    }

    /// "Names: case-sensitive, any characters but `$ ( )`" [DOC].
    private func lintName(_ name: String, key pointer: JSONPointer) {
        let special = "$()".utf8
        if name.isEmpty || name.utf8.contains(where: special.contains) { add(.variableName(name), key: pointer) }
    }

    /// "Values may hold `*` and `?` [OBS], not other variables [DOC] (such a value is skipped [REP])."
    private func lintValues(_ value: JSONValue, _ pointer: JSONPointer) {
        if value.string.map({ VariableTable.holdsVariable(Array($0.utf8)) }) ?? false { add(.nestedVariable, pointer) }
        for (index, element) in (value.array ?? []).enumerated() {
            if let text = element.string, VariableTable.holdsVariable(Array(text.utf8)) {
                add(.nestedVariable, pointer.appending(index))
            }
        }
    }

    /// The names of the variables that any pattern uses. This includes `paths` that iOS ignores because of
    /// `components`.
    private var usedVariables: Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for rule in entries.compactMap(\.rules).joined() {
            for pattern in rule.patterns {
                for variable in pattern.variables { names.insert(Array(variable.name.utf8)) }
            }
        }
        for defaults in [association.applinks?["defaults"]?.object].compactMap(\.self)
            + entries.compactMap(\.reading.defaults)
        {
            let reading = ComponentReading(.object(defaults), defaults: [], os: .latest)
            for pattern in writtenPatterns(in: defaults, JSONPointer(), reading) {
                for variable in pattern.shape.variables { names.insert(Array(variable.name.utf8)) }
            }
        }
        for entry in entries {
            for path in association.root[entry.reading.pointer]?["paths"]?.array ?? [] {
                guard let text = path.string else { continue }
                let shape = PatternShape(Array(text.utf8), isFolded: false, variables: variables)
                for variable in shape.variables { names.insert(Array(variable.name.utf8)) }
            }
        }
        return names
    }

    /// Removes a variable. Returns `nil` if the file has a fault: the faulty rule may have been meant to use this
    /// variable.
    private func removal(of pointer: JSONPointer) -> Fix? {
        guard causes.isEmpty else { return nil }
        return source.removal(of: pointer).map { Fix(title: "Remove this variable", keepsOutcomes: true, edits: [$0]) }
    }
}

extension JSONObject {
    /// The value at a pointer into this object, or `nil` if none exists.
    subscript(pointer: JSONPointer) -> JSONValue? { JSONValue.object(self)[pointer] }
}

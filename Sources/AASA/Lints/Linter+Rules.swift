import StrictJSON

/// Rules: each can be reached, and each can match.
extension Linter {
    mutating func lintRules() {
        if let defaults = association.defaults(os: .latest) {
            lintVariables(in: .object(defaults), JSONPointer(tokens: ["applinks", "defaults"]))
        }
        for entry in association.entries(os: .latest) {
            if let defaults = entry.defaults {
                lintVariables(in: .object(defaults), entry.pointer.appending("defaults"))
            }
            switch entry.patterns {
            case .unrestricted: break
            case .components(let components, let pointer):
                for (index, component) in components.enumerated() {
                    lintVariables(in: component, pointer.appending(index))
                }
            case .paths(let paths, let pointer):
                for (index, path) in paths.enumerated() {
                    if let entry = PathEntry(path) { lintVariables(in: entry.path, pointer.appending(index)) }
                }
            }
            lintReach(entry)
        }
    }

    /// "A later exclude behind a broader allow is dead" [OBS]: here, what stands behind a rule that every URL matches.
    private mutating func lintReach(_ entry: EntryReading) {
        let fileDefaults = association.defaults(os: .latest)
        var blocker: JSONPointer?
        for (component, pointer) in RuleReading.rules(of: entry, fileDefaults: fileDefaults, os: .latest) ?? [] {
            if let blocker {
                add(.deadRule(behind: blocker.description), pointer)
            } else if CompiledRule(component, at: pointer, variables: variables).matchesEverything {
                blocker = pointer
            }
        }
    }

    /// The variables in the patterns that an object of component keys has itself.
    private mutating func lintVariables(in component: JSONValue, _ pointer: JSONPointer) {
        for key in [ComponentKey.path, .query, .fragment] {
            let place = pointer.appending(key.rawValue)
            switch component[key.rawValue] {
            case .string(let pattern): lintVariables(in: pattern, place)
            case .object(let items) where key == .query:
                for item in items.members {
                    if let pattern = item.value.string { lintVariables(in: pattern, place.appending(item.name)) }
                }
            default: break
            }
        }
    }

    private mutating func lintVariables(in pattern: String, _ pointer: JSONPointer) {
        switch Pattern(Array(pattern.utf8), caseSensitive: true, variables: variables).defect {
        case .undefinedVariable(let name): add(.undefinedVariable(name), pointer)
        case .unterminatedVariable: add(.unterminatedVariable, pointer)
        case nil: break
        }
    }
}

import StrictJSON

/// An entry as lint reasons about it.
struct EntryShape {
    let reading: EntryReading
    /// Its rules in order; nil where nothing restricts the entry.
    let rules: [RuleShape]?

    static func entries(of association: Association, variables: VariableShapes) -> [EntryShape] {
        let fileDefaults = association.defaults(os: .latest)
        return association.entries(os: .latest).map { entry in
            let isPath = if case .paths = entry.patterns { true } else { false }
            let rules = RuleReading.rules(of: entry, fileDefaults: fileDefaults, os: .latest)
            return EntryShape(
                reading: entry,
                rules: rules?.map { RuleShape($0.component, at: $0.pointer, isPath: isPath, variables: variables) })
        }
    }

    /// The `defaults` that apply to it, the nearest first.
    func defaults(_ association: Association) -> [JSONObject] {
        [reading.defaults, association.defaults(os: .latest)].compactMap(\.self)
    }
}

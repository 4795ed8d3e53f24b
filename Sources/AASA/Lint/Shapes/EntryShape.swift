import StrictJSON

/// An entry in the form that lint uses.
struct EntryShape {
    let reading: EntryReading
    /// The entry's rules in order, or `nil` if it has neither `components` nor `paths`.
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

    /// The `defaults` that apply to the entry: its own, then the file's.
    func defaults(_ association: Association) -> [JSONObject] {
        [reading.defaults, association.defaults(os: .latest)].compactMap(\.self)
    }
}

import StrictJSON

/// Finds rules copied from the example in Apple's documentation ("Supporting associated domains").
extension Linter {
    /// Rules that hardly any real site has, without their comments.
    private static let rare: [JSONObject] = [
        ["/": "/help/website/*", "exclude": true], ["/": "/help/*", "?": ["articleNumber": "????"]],
    ]

    /// Rules that a real site may have.
    private static let usual: [JSONObject] = [["/": "/buy/*"]]

    func lintSamples() {
        // If an app ID comes from an example, the finding about it is sufficient.
        guard !hasPlaceholder else { return }
        var found: [JSONPointer] = []
        var isCertain = false
        for entry in entries {
            guard case .components(let components, let pointer) = entry.reading.patterns else { continue }
            for (index, component) in components.enumerated() {
                guard var rule = component.object, rule.members.count <= 3 else { continue }
                rule["comment"] = nil
                let isRare = Self.rare.contains(rule)
                isCertain = isCertain || isRare
                if isRare || Self.usual.contains(rule) { found.append(pointer.appending(index)) }
            }
        }
        if isCertain, let first = found.first { add(.sampleRule(others: found.count - 1), first) }
    }
}

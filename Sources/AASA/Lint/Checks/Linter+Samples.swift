import StrictJSON

/// Rules of the example in Apple's documentation ("Supporting associated domains") that were copied with it.
extension Linter {
    /// Rules that almost no real site has, without their comments.
    private static let telling: [JSONObject] = [
        ["/": "/help/website/*", "exclude": true], ["/": "/help/*", "?": ["articleNumber": "????"]],
    ]

    /// Rules that a real site may have.
    private static let usual: [JSONObject] = [["/": "/buy/*"]]

    func lintSamples() {
        // If an app ID is from an example, that finding is enough.
        guard !hasPlaceholder else { return }
        var found: [JSONPointer] = []
        var isCertain = false
        for entry in entries {
            guard case .components(let components, let pointer) = entry.reading.patterns else { continue }
            for (index, component) in components.enumerated() {
                guard var rule = component.object, rule.members.count <= 3 else { continue }
                rule["comment"] = nil
                let isTelling = Self.telling.contains(rule)
                isCertain = isCertain || isTelling
                if isTelling || Self.usual.contains(rule) { found.append(pointer.appending(index)) }
            }
        }
        if isCertain, let first = found.first { add(.sampleRule(others: found.count - 1), first) }
    }
}

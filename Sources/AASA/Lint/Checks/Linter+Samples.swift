import StrictJSON

/// Rules of the example in Apple's documentation ("Supporting associated domains") that stayed in the file.
extension Linter {
    /// Those that hardly any site has, without their comments.
    private static let telling: [JSONObject] = [
        ["/": "/help/website/*", "exclude": true], ["/": "/help/*", "?": ["articleNumber": "????"]],
    ]

    /// Those that a site may have.
    private static let usual: [JSONObject] = [["/": "/buy/*"]]

    func lintSamples() {
        // Where an app ID comes from an example, that is the finding.
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

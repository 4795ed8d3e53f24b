import StrictJSON

/// Links that usually have to stay on the web, and rules that open them without naming them.
extension Linter {
    func lintSensitiveLinks() {
        var captured: [Captured] = []
        var places: [DecidingPlace: Int] = [:]
        for link in sensitive {
            guard decide(link.url) != nil else {
                if budget.isExhausted { break }
                continue
            }
            let parts = Self.parts(of: link)
            for app in firstApps.compactMap(\.self) {
                guard let verdict = decider.verdict(ofApp: app), verdict.outcome == .opens,
                    let place = verdict.decidedBy
                else { continue }
                let index = places[place] ?? captured.count
                if index == captured.count {
                    guard let pointer = compiled.pointer(of: place) else { continue }
                    places[place] = index
                    captured.append(Captured(pointer: pointer, pattern: pattern(at: pointer)))
                }
                // A rule whose path names a part of the link is meant.
                if let pattern = captured[index].pattern, parts.contains(where: pattern.contains) { continue }
                captured[index].links.append(link)
            }
        }
        for rule in captured where !rule.links.isEmpty { add(.sensitiveLink(links: rule.links), rule.pointer) }
    }

    /// A rule, or an entry without rules, that opens such links.
    private struct Captured {
        let pointer: JSONPointer
        /// Its path, in lower case.
        let pattern: String?
        var links: [SensitiveLink] = []
    }

    private func pattern(at pointer: JSONPointer) -> String? {
        let value = association.root[pointer]
        return (value?["/"] ?? value)?.string?.lowercased()
    }

    private static func parts(of link: SensitiveLink) -> [Substring] {
        link.url.lowercased().prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }
}

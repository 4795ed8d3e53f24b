import StrictJSON

/// Finds rules that open links that usually belong in the browser, without naming them.
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
                    // If a fault makes the rule open such links, only the fault is reported.
                    guard let pointer = compiled.pointer(of: place), !causes.lie(in: pointer) else { continue }
                    places[place] = index
                    captured.append(Captured(pointer: pointer, pattern: pattern(at: pointer)))
                }
                // A rule whose path contains a part of the link is intentional.
                if let pattern = captured[index].pattern, parts.contains(where: pattern.contains) { continue }
                captured[index].links.append(link)
            }
        }
        for rule in captured where !rule.links.isEmpty {
            add(.sensitiveLink(links: rule.links, opener: opener(rule.pointer)), rule.pointer)
        }
    }

    /// A rule, or an entry without rules, that opens sensitive links.
    private struct Captured {
        let pointer: JSONPointer
        /// The rule's path, in lower case.
        let pattern: String?
        var links: [SensitiveLink] = []
    }

    /// The subject of the message: a rule, or an entry or app without rules.
    private func opener(_ pointer: JSONPointer) -> String {
        switch association.root[pointer] {
        case .string where pointer.parent == JSONPointer(tokens: ["applinks", "apps"]): "This app"
        case .object where pointer.tokens.count == 3: "This entry"
        default: "This rule"
        }
    }

    private func pattern(at pointer: JSONPointer) -> String? {
        let value = association.root[pointer]
        return (value?["/"] ?? value)?.string?.lowercased()
    }

    /// The parts of the link's path. A rule that contains one of them opens the link intentionally. A file for programs
    /// has no parts, because no app should open it.
    private static func parts(of link: SensitiveLink) -> [Substring] {
        if link.url.utf8.starts(with: "/.well-known/".utf8) { return [] }
        return link.url.lowercased().prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }
}

import StrictJSON

/// Links that usually have to stay on the web, and rules that open them without naming them.
extension Linter {
    func lintSensitiveLinks() {
        var captured: [(pointer: JSONPointer, links: [SensitiveLink])] = []
        for link in sensitive {
            guard let evaluation = evaluation(of: link.url) else {
                if budget.isExhausted { break }
                continue
            }
            for verdict in evaluation.apps where verdict.outcome == .opens {
                // What a fault makes a rule open goes with the fault.
                guard let pointer = verdict.decidedBy, !causes.lie(in: pointer), !names(link, pointer) else { continue }
                if let index = captured.firstIndex(where: { $0.pointer == pointer }) {
                    if captured[index].links.last != link { captured[index].links.append(link) }
                } else {
                    captured.append((pointer, [link]))
                }
            }
        }
        for (pointer, links) in captured { add(.sensitiveLink(links: links, opener: opener(pointer)), pointer) }
    }

    /// What opens the links: a rule, or what has none.
    private func opener(_ pointer: JSONPointer) -> String {
        switch association.root[pointer] {
        case .string where pointer.parent == JSONPointer(tokens: ["applinks", "apps"]): "This app"
        case .object where pointer.tokens.count == 3: "This entry"
        default: "This rule"
        }
    }

    /// Whether the rule's path names a part of the link: then it is meant. Nobody means files for programs.
    private func names(_ link: SensitiveLink, _ pointer: JSONPointer) -> Bool {
        if link.url.utf8.starts(with: "/.well-known/".utf8) { return false }
        let value = association.root[pointer]
        guard let pattern = (value?["/"] ?? value)?.string?.lowercased() else { return false }
        let path = link.url.lowercased().prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").contains { part in pattern.contains(part) }
    }
}

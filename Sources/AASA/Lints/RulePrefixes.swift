/// Rules by the literal text that their paths begin with. A rule can cover another, or meet it, only if the one's text
/// begins with the other's; so a look-up is as long as the text, not as the file.
struct RulePrefixes {
    private struct Node {
        var children: [UInt32: Int] = [:]
        var rules: [Int] = []
    }

    private var nodes = [Node()]

    /// Adds a rule, by a number, under the literal prefix of its path.
    mutating func insert(_ rule: Int, _ prefix: [UInt32]) {
        var node = 0
        for scalar in prefix {
            if let child = nodes[node].children[scalar] {
                node = child
            } else {
                nodes.append(Node())
                nodes[node].children[scalar] = nodes.count - 1
                node = nodes.count - 1
            }
        }
        nodes[node].rules.append(rule)
    }

    /// The numbers of the rules whose prefix `text` begins with: a list for each such prefix, the shortest first, each
    /// in the order in which the rules were added.
    func rules(along text: [UInt32]) -> [[Int]] {
        var result = [nodes[0].rules]
        var node = 0
        for scalar in text {
            guard let child = nodes[node].children[scalar] else { break }
            node = child
            if !nodes[node].rules.isEmpty { result.append(nodes[node].rules) }
        }
        return result
    }
}

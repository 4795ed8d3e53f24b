/// An index of rules by the beginnings of the URLs that they match. It uses the path, and one more part if the rule has
/// a pattern for one.
///
/// A rule can cover or overlap another only if the beginning of one is a prefix of the other's. So the cost of a
/// look-up depends on the length of the beginnings and the number of results, not on the size of the file.
struct RuleIndex {
    private struct Node {
        /// The character on the edge to this node.
        let scalar: UInt32
        var firstChild = -1
        var nextSibling = -1
        /// The child for any character.
        var anyChild = -1
        /// The rules whose beginning ends at this node.
        var rules: [Int] = []
        /// Subtrees for the rules whose path beginning ends at this node. Each subtree is for another part of the URL
        /// for which the rules have a pattern.
        var parts: [(part: RuleBeginnings.Part, root: Int)] = []
    }

    private struct Step: Hashable {
        let node: Int
        let scalar: UInt32
    }

    private struct PartOfNode: Hashable {
        let node: Int
        let part: RuleBeginnings.Part
    }

    private var nodes = [Node(scalar: 0)]
    /// The children of each node, except its first child.
    private var steps: [Step: Int] = [:]
    private var roots: [PartOfNode: Int] = [:]

    /// Adds a rule with a number. Numbers must increase from call to call.
    mutating func insert(_ rule: Int, _ beginnings: RuleBeginnings) {
        var node = insert(beginnings.path, below: 0)
        if let longest = beginnings.parts.max(by: { $0.text.count < $1.text.count }) {
            node = insert(longest.text, below: root(of: longest.part, at: node))
        }
        nodes[node].rules.append(rule)
    }

    /// The numbers of the rules that may match every URL of a rule, as lists in increasing order. Rules with shorter
    /// path beginnings come first. The result is incomplete if the budget is exhausted.
    func covering(_ beginnings: RuleBeginnings, _ budget: inout LintBudget) -> [[Int]] {
        var found: [[Int]] = []
        walk(beginnings.path, from: 0, isMeeting: false, &budget) { node, budget in
            collect(node, &found)
            guard budget.spend(nodes[node].parts.count * beginnings.parts.count) else { return }
            for (part, root) in nodes[node].parts {
                // A rule with a pattern for a part does not cover a rule that accepts any text there.
                guard let text = beginnings.text(of: part) else { continue }
                walk(text, from: root, isMeeting: false, &budget) { node, _ in collect(node, &found) }
            }
        }
        return found
    }

    /// The numbers of the rules that may match a URL of a rule and whose path beginning is not longer than the rule's
    /// own. The order is that of ``covering(_:_:)``.
    func meeting(_ beginnings: RuleBeginnings, _ budget: inout LintBudget) -> [[Int]] {
        var found: [[Int]] = []
        walk(beginnings.path, from: 0, isMeeting: true, &budget) { node, budget in
            collect(node, &found)
            guard budget.spend(nodes[node].parts.count * (1 + beginnings.parts.count)) else { return }
            for (part, root) in nodes[node].parts where beginnings.canMeet(part) {
                let text = beginnings.text(of: part) ?? []
                let ends = walk(text, from: root, isMeeting: true, &budget) { node, _ in collect(node, &found) }
                for end in ends { collectAll(below: end, &found, &budget) }
            }
        }
        return found
    }

    /// Follows a text through the tree and visits each node on the way. Returns the last nodes, or an empty list if the
    /// tree ends before the text.
    @discardableResult
    private func walk(
        _ text: [UInt32], from root: Int, isMeeting: Bool, _ budget: inout LintBudget,
        _ visit: (Int, inout LintBudget) -> Void
    ) -> [Int] {
        var places = [root]
        var next: [Int] = []
        visit(root, &budget)
        for scalar in text {
            next.removeAll(keepingCapacity: true)
            for place in places {
                if scalar != RuleBeginnings.any {
                    if let child = child(of: place, scalar) { next.append(child) }
                    if nodes[place].anyChild >= 0 { next.append(nodes[place].anyChild) }
                } else if isMeeting {
                    forEachChild(of: place) { next.append($0) }
                } else if nodes[place].anyChild >= 0 {
                    next.append(nodes[place].anyChild)
                }
            }
            guard !next.isEmpty, budget.spend(next.count) else { return [] }
            swap(&places, &next)
            for place in places { visit(place, &budget) }
        }
        return places
    }

    private func collect(_ node: Int, _ found: inout [[Int]]) {
        if !nodes[node].rules.isEmpty { found.append(nodes[node].rules) }
    }

    private func collectAll(below node: Int, _ found: inout [[Int]], _ budget: inout LintBudget) {
        var open = [node]
        while let node = open.popLast(), budget.spend(1) {
            forEachChild(of: node) { child in
                collect(child, &found)
                open.append(child)
            }
        }
    }

    private mutating func insert(_ text: [UInt32], below root: Int) -> Int {
        var node = root
        for scalar in text {
            if let child = child(of: node, scalar) {
                node = child
                continue
            }
            let new = nodes.count
            if nodes[node].firstChild >= 0 { steps[Step(node: node, scalar: scalar)] = new }
            nodes.append(Node(scalar: scalar))
            if scalar == RuleBeginnings.any { nodes[node].anyChild = new }
            if nodes[node].firstChild < 0 {
                nodes[node].firstChild = new
            } else {
                let first = nodes[node].firstChild
                nodes[new].nextSibling = nodes[first].nextSibling
                nodes[first].nextSibling = new
            }
            node = new
        }
        return node
    }

    private mutating func root(of part: RuleBeginnings.Part, at node: Int) -> Int {
        let key = PartOfNode(node: node, part: part)
        if let root = roots[key] { return root }
        let root = nodes.count
        nodes.append(Node(scalar: 0))
        nodes[node].parts.append((part, root))
        roots[key] = root
        return root
    }

    private func child(of node: Int, _ scalar: UInt32) -> Int? {
        let first = nodes[node].firstChild
        if first < 0 { return nil }
        if nodes[first].scalar == scalar { return first }
        return nodes[first].nextSibling < 0 ? nil : steps[Step(node: node, scalar: scalar)]
    }

    private func forEachChild(of node: Int, _ body: (Int) -> Void) {
        var child = nodes[node].firstChild
        while child >= 0 {
            body(child)
            child = nodes[child].nextSibling
        }
    }
}

/// Where a value stands. The nodes of a text lie in the order of the text, so that a value's children follow it, each
/// after the end of the one before.
struct JSONNode: Sendable {
    /// The offset of the member's name, or -1.
    var keyOffset: Int
    /// The offset of the value.
    var offset: Int
    /// The index of the first node behind this one and all that it holds.
    var end: Int
}

/// The nodes of a text with a table of each one's children, so that a value far down in a long array is found at once.
struct JSONNodes: Sendable {
    private let nodes: [JSONNode]
    /// The children of all nodes, those of one side by side and in order.
    private var children: [Int]
    /// For each node where its children begin in ``children``; one more entry than nodes.
    private var firstChild: [Int]

    init(_ nodes: [JSONNode]) {
        self.nodes = nodes
        children = Array(repeating: 0, count: max(0, nodes.count - 1))
        firstChild = Array(repeating: 0, count: nodes.count + 1)
        var parents = Array(repeating: 0, count: nodes.count)
        var open: [Int] = []
        for index in nodes.indices {
            while let last = open.last, nodes[last].end <= index { open.removeLast() }
            if let parent = open.last {
                parents[index] = parent
                firstChild[parent + 1] += 1
            }
            open.append(index)
        }
        for index in nodes.indices { firstChild[index + 1] += firstChild[index] }
        var next = firstChild
        for index in nodes.indices.dropFirst() {
            children[next[parents[index]]] = index
            next[parents[index]] += 1
        }
    }

    /// The index of the child at a place; nil where there is none.
    func child(_ place: Int, of index: Int) -> Int? {
        guard nodes.indices.contains(index) else { return nil }
        let child = firstChild[index] + place
        return child < firstChild[index + 1] ? children[child] : nil
    }

    subscript(index: Int) -> JSONNode? { nodes.indices.contains(index) ? nodes[index] : nil }
}

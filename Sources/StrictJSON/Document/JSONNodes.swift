/// The position of a value. Nodes are in the order of the text: the children of a value follow it, each after the end
/// of the previous child.
struct JSONNode: Sendable {
    /// The offset of the member's name, or -1 if the value is not a member.
    var keyOffset: Int
    /// The offset of the value.
    var offset: Int
    /// The index of the first node after this one and all its descendants.
    var end: Int
}

/// The nodes of a text and a table of their children. The table makes it possible to find an element of a long array in
/// constant time.
struct JSONNodes: Sendable {
    private let nodes: [JSONNode]
    /// The children of all nodes. The children of one node are adjacent and in order.
    private var children: [Int]
    /// For each node, the index of its first child in ``children``. It has one additional entry at the end.
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

    /// The index of the child at a place, or `nil` if there is no such child.
    func child(_ place: Int, of index: Int) -> Int? {
        guard nodes.indices.contains(index) else { return nil }
        let child = firstChild[index] + place
        return child < firstChild[index + 1] ? children[child] : nil
    }

    subscript(index: Int) -> JSONNode? { nodes.indices.contains(index) ? nodes[index] : nil }
}

/// Finds the rules whose path pattern has a literal beginning that is a prefix of a path. The cost depends on the
/// length of the path and the number of results, not on the number of rules. For each form of the path, the index has
/// one tree over the bytes of the literal beginnings.
struct PrefixIndex: ~Copyable {
    /// The literal beginning of a rule's path pattern, as a range of the code of all patterns.
    struct Prefix: BitwiseCopyable {
        let form: Int
        let offset: Int
        let count: Int
    }

    struct Node: BitwiseCopyable {
        /// The bytes on the edge to this node, as a range of the code.
        var labelOffset = 0
        var labelCount = 0
        /// The rules whose prefix ends at this node, as a range of `order`.
        var firstRule = 0
        var ruleCount = 0
        /// The children by next byte: one bit for each existing child, and the index of the first child.
        var next = ByteSet()
        var firstChild = 0
    }

    private var nodes = ScratchMemory<Node>(capacity: 16)
    private var order = ScratchMemory<Int32>(capacity: 16)
    /// The root for each form, or -1 if the form has no rules.
    private var roots = ScratchMemory<Int>(capacity: 4)

    /// Builds the index.
    ///
    /// - Parameters:
    ///   - prefixes: The prefix of each rule, or `nil` for a rule that never matches.
    ///   - code: The code of all patterns.
    init(_ prefixes: [Prefix?], _ code: UnsafePointer<UInt32>) {
        for form in 0..<4 {
            var rules: [Int32] = []
            for (rule, prefix) in prefixes.enumerated() where prefix?.form == form {
                rules.append(Int32(truncatingIfNeeded: rule))
            }
            roots.append(rules.isEmpty ? -1 : nodes.count)
            if !rules.isEmpty { build(rules, prefixes, code) }
        }
    }

    /// A view of the index. It is valid as long as the index exists. `code` must be the same as in the initialiser.
    func view(_ code: UnsafePointer<UInt32>) -> View {
        View(
            nodes: UnsafePointer(nodes.start), order: UnsafePointer(order.start), code: code,
            roots: (roots.start[0], roots.start[1], roots.start[2], roots.start[3]))
    }

    /// Builds the tree of one form level by level, starting with the root.
    private mutating func build(_ rules: [Int32], _ prefixes: [Prefix?], _ code: UnsafePointer<UInt32>) {
        let base = order.reserve(rules.count)
        for (index, rule) in rules.enumerated() { order.start[base + index] = rule }
        var tasks = [Task(node: nodes.count, first: base, end: base + rules.count, depth: 0)]
        nodes.append(Node())
        var sorted: [Int32] = []
        var done = 0
        while done < tasks.count {
            let task = tasks[done]
            done += 1
            let depth = label(task, prefixes, code)
            sort(task, by: depth, prefixes, code, &sorted)
            var node = nodes.start[task.node]
            node.firstRule = task.first
            node.firstChild = nodes.count
            var first = task.first
            while first < task.end {
                let byte = byte(at: depth, of: first, prefixes, code)
                var end = first + 1
                while end < task.end, self.byte(at: depth, of: end, prefixes, code) == byte { end += 1 }
                if let byte {
                    node.next.insert(byte)
                    tasks.append(Task(node: nodes.count, first: first, end: end, depth: depth + 1))
                    nodes.append(Node())
                } else {
                    node.ruleCount = end - first
                }
                first = end
            }
            nodes.start[task.node] = node
        }
    }

    /// A node to build. The first `depth` bytes of all rules below it are the same.
    private struct Task {
        let node: Int
        let first: Int
        let end: Int
        let depth: Int
    }

    /// Sets a node's label to the bytes that all its rules have in common after `depth`. Returns the depth after the
    /// label.
    private func label(_ task: Task, _ prefixes: [Prefix?], _ code: UnsafePointer<UInt32>) -> Int {
        guard let first = prefixes[Int(order.start[task.first])] else { return task.depth }
        var end = first.count
        for index in task.first + 1..<max(task.end, task.first + 1) {
            guard let other = prefixes[Int(order.start[index])] else { continue }
            end = min(end, other.count)
            var depth = task.depth
            while depth < end, code[first.offset + depth] == code[other.offset + depth] { depth += 1 }
            end = depth
        }
        nodes.start[task.node].labelOffset = first.offset + task.depth
        nodes.start[task.node].labelCount = end - task.depth
        return end
    }

    /// The byte of a rule's prefix at a depth, or `nil` if the prefix ends there.
    private func byte(
        at depth: Int, of index: Int, _ prefixes: [Prefix?], _ code: UnsafePointer<UInt32>
    ) -> UInt8? {
        guard let prefix = prefixes[Int(order.start[index])], depth < prefix.count else { return nil }
        return UInt8(truncatingIfNeeded: code[prefix.offset + depth])
    }

    /// Sorts the rules of a node by their byte at a depth. Rules that end there come first. The sort is stable.
    private func sort(
        _ task: Task, by depth: Int, _ prefixes: [Prefix?], _ code: UnsafePointer<UInt32>, _ sorted: inout [Int32]
    ) {
        func key(_ index: Int) -> Int { byte(at: depth, of: index, prefixes, code).map { Int($0) + 1 } ?? 0 }
        var starts = [Int](repeating: 0, count: task.end - task.first > 32 ? 258 : 0)
        if starts.isEmpty {
            for index in task.first..<task.end {
                let (rule, wanted) = (order.start[index], key(index))
                var place = index
                while place > task.first, key(place - 1) > wanted {
                    order.start[place] = order.start[place - 1]
                    place -= 1
                }
                order.start[place] = rule
            }
            return
        }
        for index in task.first..<task.end { starts[key(index) + 1] += 1 }
        for byte in 1..<258 { starts[byte] += starts[byte - 1] }
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: repeatElement(0, count: task.end - task.first))
        for index in task.first..<task.end {
            let byte = key(index)
            sorted[starts[byte]] = order.start[index]
            starts[byte] += 1
        }
        for (index, rule) in sorted.enumerated() { order.start[task.first + index] = rule }
    }
}

extension PrefixIndex {
    /// The index in the form used for look-ups.
    struct View: BitwiseCopyable {
        let nodes: UnsafePointer<Node>
        let order: UnsafePointer<Int32>
        let code: UnsafePointer<UInt32>
        let roots: (Int, Int, Int, Int)
    }
}

extension PrefixIndex.View {
    /// Whether any rule uses a form.
    func hasRules(_ form: Int) -> Bool { root(form) >= 0 }

    /// Sets a bit for each rule of a form whose prefix is a prefix of the text.
    func mark(_ form: Int, _ text: TextView, in marks: UnsafeMutablePointer<UInt64>) {
        var node = nodes + root(form)
        var place = 0
        while true {
            let label = code + node.pointee.labelOffset
            let count = node.pointee.labelCount
            guard text.count - place >= count else { return }
            for index in 0..<count where label[index] != UInt32(text.start[place + index]) { return }
            place += count
            let rules = order + node.pointee.firstRule
            for index in 0..<node.pointee.ruleCount {
                let rule = Int(rules[index])
                marks[rule >> 6] |= 1 << UInt64(rule & 63)
            }
            guard place < text.count, let rank = node.pointee.next.rank(of: text.start[place]) else { return }
            node = nodes + node.pointee.firstChild + rank
            place += 1
        }
    }

    private func root(_ form: Int) -> Int {
        switch form {
        case 0: roots.0
        case 1: roots.1
        case 2: roots.2
        default: roots.3
        }
    }
}

/// A set of byte values that can quickly count the members below a byte.
struct ByteSet: BitwiseCopyable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    /// The number of members below a member, or `nil` if the byte is not a member.
    @inline(__always)
    func rank(of byte: UInt8) -> Int? {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0:
            guard words.0 & bit != 0 else { return nil }
            return (words.0 & (bit &- 1)).nonzeroBitCount
        case 1:
            guard words.1 & bit != 0 else { return nil }
            return words.0.nonzeroBitCount + (words.1 & (bit &- 1)).nonzeroBitCount
        case 2:
            guard words.2 & bit != 0 else { return nil }
            return words.0.nonzeroBitCount + words.1.nonzeroBitCount + (words.2 & (bit &- 1)).nonzeroBitCount
        default:
            guard words.3 & bit != 0 else { return nil }
            return words.0.nonzeroBitCount + words.1.nonzeroBitCount + words.2.nonzeroBitCount
                + (words.3 & (bit &- 1)).nonzeroBitCount
        }
    }
}

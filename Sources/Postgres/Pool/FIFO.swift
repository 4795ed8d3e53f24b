/// A queue: elements leave in the order in which they came.
struct FIFO<Element> {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func prepend(_ element: Element) {
        elements.insert(element, at: head)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        // Elements that have left stay in front until they are half of the array: taking one out costs nothing.
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes the first element out that is meant.
    mutating func remove(where isMeant: (Element) -> Bool) -> Bool {
        guard let index = elements[head...].firstIndex(where: isMeant) else { return false }
        elements.remove(at: index)
        return true
    }

    /// Takes all elements out that are meant, in order.
    mutating func removeAll(where isMeant: (Element) -> Bool = { _ in true }) -> [Element] {
        let taken = elements[head...].filter(isMeant)
        guard !taken.isEmpty else { return [] }
        elements = elements[head...].filter { !isMeant($0) }
        head = 0
        return taken
    }

    func minimum<Value: Comparable>(of value: (Element) -> Value) -> Value? {
        elements[head...].lazy.map(value).min()
    }
}

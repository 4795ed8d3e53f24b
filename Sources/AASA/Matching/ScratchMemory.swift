/// Memory that is used again and again: it grows to what the largest use needed and stays, so that later uses allocate
/// nothing. Offsets stay good when it grows, pointers do not.
struct ScratchMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var start: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// Sets room aside, with undefined content, and returns its offset.
    mutating func reserve(_ wanted: Int) -> Int {
        let offset = count
        if wanted > capacity - count { grow(to: count + wanted) }
        count += wanted
        return offset
    }

    mutating func append(_ element: Element) {
        let place = reserve(1)
        start[place] = element
    }

    /// Gives back what lies behind the first `count` elements.
    mutating func cut(to count: Int) { self.count = min(count, self.count) }

    private mutating func grow(to wanted: Int) {
        capacity = max(wanted, capacity * 2)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}

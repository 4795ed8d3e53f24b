/// Memory that is reused. It grows to the largest size that was needed and keeps that size, so later uses do not
/// allocate. When it grows, offsets stay valid, but pointers become invalid.
struct ScratchMemory<Element: BitwiseCopyable>: ~Copyable {
    private(set) var start: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// Reserves space with undefined content and returns its offset.
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

    /// Frees the space after the first `count` elements.
    mutating func cut(to count: Int) { self.count = min(count, self.count) }

    private mutating func grow(to wanted: Int) {
        capacity = max(wanted, capacity * 2)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}

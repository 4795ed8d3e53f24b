/// Limits how many of a bucket's objects are processed at the same time. Each uses a slot. If as many reads in a row
/// have failed as there are slots, the bucket counts as failing, and only one object at a time is tried. When an object
/// can be read again, all slots are used again.
struct BucketCircuitBreaker {
    /// What a processed object shows about its bucket.
    enum Verdict: Hashable, Sendable {
        /// The bucket was readable. The object itself may have failed.
        case sound
        /// The bucket was not readable. A failed retry of the same object shows nothing new, because the problem may be
        /// in the object.
        case unread(String, isFirst: Bool)
        /// Nothing is known, because the worker lost the object or gave it back.
        case unknown
    }

    /// The maximum number of slots.
    let width: Int
    /// The number of slots in use.
    private(set) var taken = 0
    private var failuresInARow: Int

    /// Creates a circuit breaker with all slots free. `isFailing` is true if the bucket is known to be failing.
    init(width: Int, isFailing: Bool = false) {
        self.width = width
        failuresInARow = isFailing ? width : 0
    }

    /// True if as many reads in a row have failed as there are slots.
    var isFailing: Bool { failuresInARow >= width }

    /// The number of objects that can be started now.
    var free: Int { max(0, (isFailing ? 1 : width) - taken) }

    /// Takes `count` slots.
    mutating func take(_ count: Int) { taken += count }

    /// Frees the slot of a processed object.
    mutating func end(_ verdict: Verdict) {
        taken -= 1
        switch verdict {
        case .sound: failuresInARow = 0
        case .unread(_, isFirst: true): failuresInARow += 1
        case .unread, .unknown: break
        }
    }
}

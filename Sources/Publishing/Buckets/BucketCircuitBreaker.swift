/// Limits the number of a bucket's objects that are processed at the same time. While the bucket is readable, this is
/// the full width. If this many reads in a row have failed, more attempts would probably fail too. Then only one object
/// at a time is tried, until one can be read.
struct BucketCircuitBreaker {
    /// The information that an object gives about its bucket.
    enum Verdict: Hashable, Sendable {
        /// The bucket was readable. The result for the object does not matter.
        case sound
        /// The bucket was not readable. A repeated attempt for the same object gives no new information, because the
        /// problem may be in the object.
        case unread(String, isFirst: Bool)
        /// Unknown: the object was lost to another worker, or given back.
        case unknown
    }

    /// The maximum number of slots.
    let width: Int
    /// The number of slots in use.
    private(set) var taken = 0
    private var failuresInARow: Int

    /// Creates a circuit breaker with all slots free. The bucket works, or is known to be failing.
    init(width: Int, isFailing: Bool = false) {
        self.width = width
        failuresInARow = isFailing ? width : 0
    }

    /// Whether the number of failed reads in a row has reached the number of slots.
    var isFailing: Bool { failuresInARow >= width }

    /// The number of additional objects that can be processed.
    var free: Int { max(0, (isFailing ? 1 : width) - taken) }

    /// Takes slots.
    mutating func take(_ count: Int) { taken += count }

    /// Frees a slot.
    mutating func end(_ verdict: Verdict) {
        taken -= 1
        switch verdict {
        case .sound: failuresInARow = 0
        case .unread(_, isFirst: true): failuresInARow += 1
        case .unread, .unknown: break
        }
    }
}

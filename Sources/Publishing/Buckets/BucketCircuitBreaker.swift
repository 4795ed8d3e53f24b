/// How many objects of a bucket may be looked after at once: a full width while the bucket lets itself be read. Where it
/// has not for so many in a row, all others would only fail as well: then one, now and then, until one can be read.
struct BucketCircuitBreaker {
    /// What the end of an object says of its bucket.
    enum Verdict: Hashable, Sendable {
        /// The bucket let itself be read, whatever became of the object.
        case sound
        /// Why it could not be read. Tried again, an object says nothing more: there may be something wrong with it alone.
        case unread(String, isFirst: Bool)
        /// Nothing: the object was another worker's, or given back.
        case unknown
    }

    /// So many places there are.
    let width: Int
    /// So many are taken.
    private(set) var taken = 0
    private var failuresInARow: Int

    /// All places are free; the bucket is taken to be sound, or to fail as it did before.
    init(width: Int, isFailing: Bool = false) {
        self.width = width
        failuresInARow = isFailing ? width : 0
    }

    /// Whether as many objects in a row as there are places could not be read.
    var isFailing: Bool { failuresInARow >= width }

    /// How many more objects may be looked after.
    var free: Int { max(0, (isFailing ? 1 : width) - taken) }

    /// Takes places.
    mutating func take(_ count: Int) { taken += count }

    /// Gives a place back.
    mutating func end(_ verdict: Verdict) {
        taken -= 1
        switch verdict {
        case .sound: failuresInARow = 0
        case .unread(_, isFirst: true): failuresInARow += 1
        case .unread, .unknown: break
        }
    }
}

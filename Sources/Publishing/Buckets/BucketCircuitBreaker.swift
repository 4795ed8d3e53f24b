/// Limits how many objects of a bucket are processed at once: the full width while the bucket can be read. After as
/// many failed reads in a row, more attempts would only fail too. Then one object is tried from time to time, until one
/// can be read.
struct BucketCircuitBreaker {
    /// What an object shows about its bucket.
    enum Verdict: Hashable, Sendable {
        /// The bucket could be read, whatever happened to the object.
        case sound
        /// The bucket could not be read. A repeated attempt at an object shows nothing more, because the object alone
        /// may be at fault.
        case unread(String, isFirst: Bool)
        /// Unknown: the object was lost to another worker, or given back.
        case unknown
    }

    /// The maximum number of places.
    let width: Int
    /// The number of places that are taken.
    private(set) var taken = 0
    private var failuresInARow: Int

    /// All places are free. The bucket works, or fails as it did before.
    init(width: Int, isFailing: Bool = false) {
        self.width = width
        failuresInARow = isFailing ? width : 0
    }

    /// Whether as many reads in a row have failed as there are places.
    var isFailing: Bool { failuresInARow >= width }

    /// How many more objects may be processed.
    var free: Int { max(0, (isFailing ? 1 : width) - taken) }

    /// Takes places.
    mutating func take(_ count: Int) { taken += count }

    /// Frees a place.
    mutating func end(_ verdict: Verdict) {
        taken -= 1
        switch verdict {
        case .sound: failuresInARow = 0
        case .unread(_, isFirst: true): failuresInARow += 1
        case .unread, .unknown: break
        }
    }
}

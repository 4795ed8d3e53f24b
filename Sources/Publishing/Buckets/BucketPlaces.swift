/// How many objects of a bucket may be looked after at once: a full width while the bucket does what it is asked. Where
/// it has failed so many in a row, all others would only fail as well: then one, now and then, until one succeeds.
struct BucketPlaces {
    /// What the end of an object says of its bucket.
    enum Verdict: Hashable, Sendable {
        case sound
        /// Why the bucket did not do what it was asked.
        case failed(String)
        /// Nothing: it was another worker's, or given back.
        case unknown
    }

    /// So many places there are.
    let width: Int
    /// So many are taken.
    private(set) var taken = 0
    private var failuresInARow = 0

    /// All places are free, and the bucket is taken to be sound.
    init(width: Int) { self.width = width }

    /// Whether as many objects have failed in a row as there are places.
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
        case .failed: failuresInARow += 1
        case .unknown: break
        }
    }
}

/// Measures how long this machine takes to read a position in memory that no cache can predict. A look-up among many
/// hosts takes at least this time for each position that it reads.
enum MemoryLatency {
    /// The time in nanoseconds for a read at a random position in 128 MiB. Each position depends on the previous read.
    static func measure() -> Double {
        let count = 1 << 25
        // A linear congruential generator with a full period: one cycle through all positions.
        let next = [UInt32](unsafeUninitializedCapacity: count) { buffer, filled in
            for place in 0..<count { buffer[place] = UInt32((place &* 1_664_525 &+ 1_013_904_223) & (count - 1)) }
            filled = count
        }
        let reads = 5_000_000
        var best = Double.infinity
        var place: UInt32 = 0
        for _ in 0..<3 {
            let began = ContinuousClock.now
            for _ in 0..<reads { place = next[Int(place)] }
            best = min(best, (ContinuousClock.now - began) / .nanoseconds(reads))
        }
        return place < UInt32(count) ? best : 0
    }
}

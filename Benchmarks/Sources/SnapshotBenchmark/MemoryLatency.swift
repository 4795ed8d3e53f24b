/// The time in which this machine reads a position in memory that no cache can predict. A look-up among many hosts
/// takes at least this time for each position that it reads.
enum MemoryLatency {
    /// The nanoseconds per read at random positions in 128 MiB, where each position is read from the previous one.
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

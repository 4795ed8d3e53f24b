/// How long this machine takes to read a place in memory that no cache foresees: the least that a look-up among many hosts
/// can take for each place that it goes to.
enum MemoryLatency {
    /// Nanoseconds for each of some reads at random places of 128 MiB, every place named by the one before.
    static func measure() -> Double {
        let count = 1 << 25
        // A linear congruential generator of full period: one cycle through all places.
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

internal import Synchronization

/// The IANA time zones that PostgreSQL knows, remembered: it looks through all of its files to tell, for some 50 ms.
///
/// They are read again after an hour, and for a name that is not among them, but then at most once a minute: they change
/// when PostgreSQL or the machine's time zones are updated.
final class ZoneNames: Sendable {
    private struct Known {
        let names: Set<String>
        let readAt: ContinuousClock.Instant
    }

    private let known = Mutex<Known?>(nil)

    /// Those of the names that are zones.
    ///
    /// - Parameter read: reads all that there are.
    func known(
        of names: [String], now: ContinuousClock.Instant = .now, _ read: () throws -> Set<String>
    ) rethrows -> Set<String> {
        if let known = known.withLock({ $0 }) {
            let found = known.names.intersection(names)
            let age = now - known.readAt
            if age < .seconds(60) || (age < .seconds(3_600) && names.allSatisfy(found.contains)) { return found }
        }
        // Not under the lock: several may read at the same time, and nobody waits for another's transaction.
        let read = Known(names: try read(), readAt: now)
        known.withLock { $0 = read }
        return read.names.intersection(names)
    }
}

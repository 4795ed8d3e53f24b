internal import Synchronization

/// A cache of the IANA time zones that PostgreSQL knows. To list them, PostgreSQL reads all its zone files, which takes
/// about 50 ms.
///
/// The list is read again after an hour, and for an unknown name at most once a minute. It changes only when PostgreSQL
/// or the machine's time zones are updated.
final class ZoneNames: Sendable {
    private struct Known {
        let names: Set<String>
        let readAt: ContinuousClock.Instant
    }

    private let known = Mutex<Known?>(nil)

    /// Those of the names that are time zones.
    ///
    /// - Parameter read: Reads the whole list.
    func known(
        of names: [String], now: ContinuousClock.Instant = .now, _ read: () throws -> Set<String>
    ) rethrows -> Set<String> {
        if let known = known.withLock({ $0 }) {
            let found = known.names.intersection(names)
            let age = now - known.readAt
            if age < .seconds(60) || (age < .seconds(3_600) && names.allSatisfy(found.contains)) { return found }
        }
        // Outside the lock, so that several callers can read at the same time and none waits for another's transaction.
        let read = Known(names: try read(), readAt: now)
        known.withLock { $0 = read }
        return read.names.intersection(names)
    }
}

internal import Synchronization

/// A cache of the IANA time zones that PostgreSQL knows. To list them, PostgreSQL reads all its zone files, which takes
/// about 50 ms.
///
/// The list is loaded again after an hour. If a name is unknown, it is loaded again after a minute. The list changes
/// only when PostgreSQL or the machine's time zones are updated.
final class ZoneNames: Sendable {
    private struct Known {
        let names: Set<String>
        let readAt: ContinuousClock.Instant
    }

    private let known = Mutex<Known?>(nil)

    /// The names that are time zones.
    ///
    /// - Parameters:
    ///   - names: The names to check.
    ///   - read: Loads the whole list.
    func known(
        of names: [String], now: ContinuousClock.Instant = .now, _ read: () throws -> Set<String>
    ) rethrows -> Set<String> {
        if let known = known.withLock({ $0 }) {
            let found = known.names.intersection(names)
            let age = now - known.readAt
            if age < .seconds(60) || (age < .seconds(3_600) && names.allSatisfy(found.contains)) { return found }
        }
        // Loaded outside the lock, so that no caller waits for another caller's transaction.
        let read = Known(names: try read(), readAt: now)
        known.withLock { $0 = read }
        return read.names.intersection(names)
    }
}

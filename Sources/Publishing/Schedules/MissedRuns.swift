import FoundationEssentials
import Storage

/// Decides whether a schedule runs for due times that have passed. It runs at most once, for the last of them.
///
/// It is pure: the same times always give the same decision.
struct MissedRuns {
    /// What to do about due times that have passed.
    enum Decision: Hashable {
        /// No due time has passed yet.
        case wait
        /// The schedule runs once, also for the earlier due times `missed`.
        case run(dueAt: Date, kind: ScheduleRun.Kind, missed: [DueTime])
        /// The last due time is too long ago, so a user must check the schedule.
        case suspend(because: String)
    }

    /// The time after a due time in which a missed run can still start, in seconds.
    let catchUpSeconds: Int

    /// - Parameter come: The due times that have passed, oldest first.
    func decide(about come: [DueTime], at now: Date) -> Decision {
        guard let last = come.last else { return .wait }
        let late = now.timeIntervalSince(last.moment)
        if late <= Schedule.punctualSeconds {
            return .run(dueAt: last.moment, kind: .due, missed: come.dropLast())
        }
        guard late <= Double(catchUpSeconds) else {
            return .suspend(
                because:
                    "no worker ran when it was due at \(last.moment.formatted(Date.ISO8601FormatStyle())); it was found "
                    + "\(Int(late)) seconds later, after the catch-up time of \(catchUpSeconds) seconds")
        }
        return .run(dueAt: last.moment, kind: .catchUp, missed: come.dropLast())
    }
}

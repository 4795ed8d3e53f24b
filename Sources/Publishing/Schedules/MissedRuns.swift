import FoundationEssentials
import Storage

/// Decides about the past due times of a schedule: at most one run, for the last of them.
///
/// Pure: the same times get the same decision.
struct MissedRuns {
    /// The decision.
    enum Decision: Hashable {
        /// No due time has passed.
        case wait
        /// One run, which catches up for the due times `missed`.
        case run(dueAt: Date, kind: ScheduleRun.Kind, missed: [DueTime])
        /// The last due time is too long ago. A user must look at it.
        case suspend(because: String)
    }

    /// For how long after a due time a missed run is still caught up.
    let catchUpSeconds: Int

    /// Decides about due times that have passed, oldest first.
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

import FoundationEssentials
import Storage

/// Decides whether the past due times of a schedule get a run. They get at most one, at the last due time.
///
/// Pure: the same times get the same decision.
struct MissedRuns {
    /// The decision.
    enum Decision: Hashable {
        /// No due time has passed.
        case wait
        /// One run. It also catches up for the due times `missed`.
        case run(dueAt: Date, kind: ScheduleRun.Kind, missed: [DueTime])
        /// The last due time is too long ago. A user must check the schedule.
        case suspend(because: String)
    }

    /// The time in seconds after a due time during which a missed run is still caught up.
    let catchUpSeconds: Int

    /// Decides about past due times, oldest first.
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

import FoundationEssentials
import Storage

/// What becomes of a schedule's due times that have come: at most one run, for the last of them.
///
/// Pure: the same times get the same answer.
struct MissedRuns {
    /// What is to be done.
    enum Decision: Hashable {
        /// Nothing has come.
        case wait
        /// One run, which makes up for the due times `missed` before its own.
        case run(dueAt: Date, kind: ScheduleRun.Kind, missed: [DueTime])
        /// The last one came too long ago: somebody has to look.
        case suspend(because: String)
    }

    /// For so long after a due time its run may still be made up for.
    let catchUpSeconds: Int

    /// Decides about due times that have come by now, oldest first.
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

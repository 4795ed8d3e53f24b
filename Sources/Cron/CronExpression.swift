/// A recurring time: five fields as in crontab(5), or a name such as `@daily`.
///
/// The times are local. In a time zone, some local times occur twice and some never. The caller must handle this.
public struct CronExpression: Hashable, Sendable {
    /// The text as written, with single spaces between the fields.
    public let text: String

    let minutes: ValueSet
    let hours: ValueSet
    let daysOfMonth: ValueSet
    let months: ValueSet
    /// The days of the week, from 0 (Sunday) to 6.
    let daysOfWeek: ValueSet
    /// Whether a day matches if only one of the two day fields matches. False if one of the fields begins with `*`:
    /// then both must match (crontab(5)).
    let eitherDay: Bool

    /// The number of times on a matching day: 1 to 1,440.
    public var timesADay: Int { minutes.values.count * hours.values.count }

    /// The first matching time after the given one, or `nil` if no time before the year 10000 matches.
    public func next(after time: LocalTime) -> LocalTime? {
        if isOn(time.year, time.month, time.day), let (hour, minute) = timeOfDay(after: time) {
            return LocalTime(year: time.year, month: time.month, day: time.day, hour: hour, minute: minute)
        }
        guard let hour = hours.first(from: 0), let minute = minutes.first(from: 0),
            let (year, month, day) = day(after: time)
        else { return nil }
        return LocalTime(year: year, month: month, day: day, hour: hour, minute: minute)
    }

    private func timeOfDay(after time: LocalTime) -> (hour: Int, minute: Int)? {
        if hours.contains(time.hour), let minute = minutes.first(from: time.minute + 1) { return (time.hour, minute) }
        guard let hour = hours.first(from: time.hour + 1), let minute = minutes.first(from: 0) else { return nil }
        return (hour, minute)
    }

    /// The next matching day, or `nil` if no day matches. It searches 400 years, because the Gregorian calendar then
    /// repeats.
    private func day(after time: LocalTime) -> (year: Int, month: Int, day: Int)? {
        var (year, month, day) = (time.year, time.month, time.day)
        for _ in 0...(400 * 12) {
            if months.contains(month) {
                let last = LocalTime.days(inMonth: month, of: year)
                while day < last {
                    day += 1
                    if isOn(year, month, day) { return (year, month, day) }
                }
            }
            (year, month, day) = month == 12 ? (year + 1, 1, 0) : (year, month + 1, 0)
            guard year <= LocalTime.years.upperBound else { return nil }
        }
        return nil
    }

    private func isOn(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard months.contains(month) else { return false }
        let isDay = daysOfMonth.contains(day)
        let isWeekday = daysOfWeek.contains(LocalTime.weekday(year, month, day))
        return eitherDay ? isDay || isWeekday : isDay && isWeekday
    }
}

internal import Glibc

/// The `Date` header (RFC 9110 section 5.6.7), formatted once per second. Use it on one event loop only.
struct HTTPDate {
    private var written = Int.min
    private var text: [UInt8] = []

    /// The current time in seconds since 1970.
    func second() -> Int { max(0, time(nil)) }

    /// The current time as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func now() -> [UInt8] {
        let now = second()
        if now != written {
            written = now
            text = Self.text(of: now)
        }
        return text
    }

    static func text(of seconds: Int) -> [UInt8] {
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = seconds / 86_400
        let second = seconds % 86_400
        let (year, month, day) = date(of: days)
        // 1 January 1970 was a Thursday.
        let text = "\(names[(days + 4) % 7]), \(twoDigits(day)) \(months[month - 1]) \(year)"
        let clock = "\(twoDigits(second / 3600)):\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))"
        return Array("\(text) \(clock) GMT".utf8)
    }

    /// The date in the Gregorian calendar, from the number of days since 1 January 1970. The calculation uses years
    /// that begin in March, so that the leap day is the last day of a year.
    private static func date(of days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let isNextYear = month >= 10
        return (era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, day)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

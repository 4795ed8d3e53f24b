import FoundationEssentials
import StrictJSON

extension JSONShape where Value == Date {
    /// A time to the second in RFC 3339, such as `2026-12-01T09:00:00Z` or `2026-12-01T10:00:00+01:00`.
    static var rfc3339: JSONShape<Date> { .text(as: Date.init(rfc3339:)) }
}

extension JSONValue {
    /// A time to the second, in UTC.
    static func rfc3339(_ date: Date?) -> JSONValue {
        date.map { .string($0.formatted(Date.ISO8601FormatStyle())) } ?? .null
    }
}

/// The error for a text that is not a valid time.
struct InvalidRFC3339: JSONFaultReason {
    let code = "invalid_time"
    let detail = "must be a time to the second with its offset, such as 2026-12-01T09:00:00Z (RFC 3339)"
}

extension Date {
    /// Reads a `date-time` of RFC 3339, section 5.6. Rejects fractions of a second other than zero, days that do not
    /// exist in the month, and leap seconds. System clocks do not support leap seconds.
    init(rfc3339 text: String) throws(InvalidRFC3339) {
        let pattern = /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.0{1,9})?(?:[Zz]|([+-])(\d\d):(\d\d))/
        guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern.asciiOnlyDigits()) else {
            throw InvalidRFC3339()
        }
        let (_, year, month, day, hour, minute, second, sign, offsetHour, offsetMinute) = match.output
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        let parts = DateComponents(
            year: number(year), month: number(month), day: number(day), hour: number(hour), minute: number(minute),
            second: number(second))
        guard number(hour) < 24, number(minute) < 60, number(second) < 60, number(offsetHour) < 24,
            number(offsetMinute) < 60, number(year) >= 1, let local = Self.calendar.date(from: parts),
            Self.calendar.dateComponents([.year, .month, .day], from: local)
                == DateComponents(year: number(year), month: number(month), day: number(day))
        else { throw InvalidRFC3339() }
        let offset = (number(offsetHour) * 60 + number(offsetMinute)) * 60
        self = local.addingTimeInterval(Double(sign == "-" ? offset : -offset))
    }

    /// The calendar of RFC 3339, in UTC.
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}

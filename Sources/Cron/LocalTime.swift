/// A date and a time to the minute, without a time zone. Uses the proleptic Gregorian calendar, years 1 to 9999.
public struct LocalTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int

    /// The range of years.
    public static let years = 1...9999

    /// Creates a local time. Returns `nil` if it does not exist, such as 30 February or 24:00.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
        guard Self.years.contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
    }

    /// Parses the format of ``description``. Returns `nil` for any other text.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16])
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute)
    }

    /// The time as text, such as `2026-03-08 02:30`. PostgreSQL accepts this format for a `timestamp`.
    public var description: String {
        Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + " " + Self.padded(hour, 2)
            + ":"
            + Self.padded(minute, 2)
    }

    /// Orders by time.
    public static func < (first: LocalTime, second: LocalTime) -> Bool {
        (first.year, first.month, first.day, first.hour * 60 + first.minute)
            < (second.year, second.month, second.day, second.hour * 60 + second.minute)
    }

    /// The number of days in a month.
    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day of the week, from 0 (Sunday) to 6 (Saturday). Counts the days since 1 January of the year 1, a Monday.
    static func weekday(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let days = before * 365 + before / 4 - before / 100 + before / 400
        return ((1..<month).reduce(days) { $0 + Self.days(inMonth: $1, of: year) } + day) % 7
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0 as Int?) { value, byte in
            guard let value, (48...57).contains(byte) else { return nil }
            return value * 10 + Int(byte - 48)
        }
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

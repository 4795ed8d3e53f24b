/// A time in microseconds since 1970-01-01T00:00:00Z. Its text uses the proleptic Gregorian calendar.
struct Timestamp: Hashable {
    static let microsecondsPerDay: Int64 = 86_400_000_000

    let microseconds: Int64

    init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The text, such as `2026-11-21 01:45:00.123456+00`, or `nil` outside the years 1 to 9999.
    var text: String? {
        var day = microseconds / Self.microsecondsPerDay
        var rest = microseconds % Self.microsecondsPerDay
        if rest < 0 {
            day -= 1
            rest += Self.microsecondsPerDay
        }
        let date = Self.civil(fromDay: day)
        guard (1...9999).contains(date.year) else { return nil }
        let seconds = rest / 1_000_000
        return Self.padded(date.year, 4) + "-" + Self.padded(date.month, 2) + "-" + Self.padded(date.day, 2) + " "
            + Self.padded(seconds / 3600, 2) + ":" + Self.padded(seconds / 60 % 60, 2) + ":"
            + Self.padded(seconds % 60, 2) + "." + Self.padded(rest % 1_000_000, 6) + "+00"
    }

    /// Reads `YYYY-MM-DD hh:mm:ss[.ffffff]±hh[:mm[:ss]]`, the form of `DateStyle = ISO`.
    init?(text bytes: UnsafeRawBufferPointer) {
        var reader = DigitReader(bytes: bytes)
        guard let year = reader.number(digits: 4...6), reader.take("-"),
            let month = reader.number(digits: 2...2), reader.take("-"),
            let day = reader.number(digits: 2...2), reader.take(" "),
            let hour = reader.number(digits: 2...2), reader.take(":"),
            let minute = reader.number(digits: 2...2), reader.take(":"),
            let second = reader.number(digits: 2...2)
        else { return nil }
        var fraction: Int64 = 0
        if reader.take(".") {
            guard let value = reader.fraction() else { return nil }
            fraction = value
        }
        guard let offset = reader.offset(), reader.isAtEnd,
            (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.day(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        microseconds = seconds * 1_000_000 + fraction
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    // Conversion between days and dates: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    // `days_from_civil` and `civil_from_days`.

    static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func civil(fromDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

/// Reads numbers with a given number of digits from a text.
private struct DigitReader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func number(digits allowed: ClosedRange<Int>) -> Int64? {
        var value: Int64 = 0
        var count = 0
        while count < allowed.upperBound, let byte = next, (48...57).contains(byte) {
            value = value * 10 + Int64(byte - 48)
            position += 1
            count += 1
        }
        return allowed.contains(count) ? value : nil
    }

    mutating func fraction() -> Int64? {
        let start = position
        guard var value = number(digits: 1...6) else { return nil }
        for _ in (position - start)..<6 { value *= 10 }
        return value
    }

    /// The offset from UTC in seconds.
    mutating func offset() -> Int64? {
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = number(digits: 2...2) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] as [Int64] where take(":") {
            guard let value = number(digits: 2...2) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }
}

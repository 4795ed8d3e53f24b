extension CronExpression {
    /// The expression in English, such as `at 09:00 on Monday to Friday`.
    public var inWords: String {
        // "Every hour" already implies "every day".
        guard let days = daysInWords else { return hours.values.count == 24 ? timeInWords : timeInWords + " every day" }
        return timeInWords + " " + days
    }

    /// The maximum number of times of a day that are listed individually.
    private static let maximumTimesListed = 6

    private var timeInWords: String {
        let (minutes, hours) = (minutes.values, hours.values)
        if hours.count == 24 {
            if minutes.count == 60 { return "every minute" }
            if let step = Self.evenStep(minutes) { return "every \(step) minutes" }
            return "at \(Self.counted(minutes, "minute")) of every hour"
        }
        guard minutes.count * hours.count > Self.maximumTimesListed else {
            let times = hours.flatMap { hour in
                minutes.map { LocalTime.padded(hour, 2) + ":" + LocalTime.padded($0, 2) }
            }
            return "at " + Self.listed(times)
        }
        let hoursInWords = Self.runs(hours).map { run in
            LocalTime.padded(run.lowerBound, 2) + ":00 to " + LocalTime.padded(run.upperBound, 2) + ":59"
        }
        let often =
            minutes.count == 60
            ? "every minute"
            : Self.evenStep(minutes).map { "every \($0) minutes" }
                ?? "at \(Self.counted(minutes, "minute")) of each hour"
        return "\(often) from " + Self.listed(hoursInWords)
    }

    /// The matching days, or `nil` for every day of the year.
    private var daysInWords: String? {
        let (days, weekdays, months) = (daysOfMonth.values, daysOfWeek.values, months.values)
        let dayNames = days.count == 31 ? nil : "the " + Self.listed(Self.inRuns(days, Self.ordinal)) + " of the month"
        // Sunday is last, so that a weekend is one range.
        let week = weekdays.map { $0 == 0 ? 7 : $0 }.sorted()
        let weekdayNames = weekdays.count == 7 ? nil : Self.inRuns(week) { Self.weekdays[$0 - 1] }
        let monthNames =
            months.count == 12 ? nil : "in " + Self.listed(Self.inRuns(months) { Self.monthNames[$0 - 1] })
        var parts: [String] = []
        if eitherDay {
            // A day matches if one of the two fields matches. So if one field contains every day, every day matches.
            if let dayNames, let weekdayNames {
                parts.append("on \(dayNames), and also on \(Self.listed(weekdayNames))")
            }
        } else if let dayNames, let weekdayNames {
            parts.append("on \(dayNames) if it is a \(Self.listed(weekdayNames, "or"))")
        } else if let names = dayNames ?? weekdayNames.map({ Self.listed($0) }) {
            parts.append("on \(names)")
        }
        if parts.isEmpty, monthNames != nil { parts.append("every day") }
        if let monthNames { parts.append(monthNames) }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The step, if the numbers divide the hour into equal parts.
    private static func evenStep(_ values: [Int]) -> Int? {
        guard values.count > 1, 60.isMultiple(of: values.count) else { return nil }
        let step = 60 / values.count
        return values == Array(stride(from: 0, to: 60, by: step)) ? step : nil
    }

    private static func counted(_ values: [Int], _ noun: String) -> String {
        (values.count == 1 ? noun : noun + "s") + " " + listed(inRuns(values, String.init))
    }

    private static func inRuns(_ values: [Int], _ name: (Int) -> String) -> [String] {
        runs(values).flatMap { run in
            run.count > 2 ? ["\(name(run.lowerBound)) to \(name(run.upperBound))"] : run.map(name)
        }
    }

    /// Joins consecutive numbers into ranges.
    private static func runs(_ values: [Int]) -> [ClosedRange<Int>] {
        values.reduce(into: []) { runs, value in
            if let last = runs.last, last.upperBound + 1 == value {
                runs[runs.count - 1] = last.lowerBound...value
            } else {
                runs.append(value...value)
            }
        }
    }

    private static func listed(_ words: [String], _ conjunction: String = "and") -> String {
        words.count < 2
            ? words.joined() : words.dropLast().joined(separator: ", ") + " \(conjunction) " + (words.last ?? "")
    }

    private static func ordinal(_ number: Int) -> String {
        switch (number % 10, number / 10) {
        case (1, let tens) where tens != 1: "\(number)st"
        case (2, let tens) where tens != 1: "\(number)nd"
        case (3, let tens) where tens != 1: "\(number)rd"
        default: "\(number)th"
        }
    }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

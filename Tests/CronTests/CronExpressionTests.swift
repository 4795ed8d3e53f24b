import Cron
import Testing

/// An expression, a time, and the next times.
private let corpus: [(expression: String, after: String, next: [String])] = [
    ("* * * * *", "2026-12-31 23:58", ["2026-12-31 23:59", "2027-01-01 00:00", "2027-01-01 00:01"]),
    ("0 9 * * MON-FRI", "2026-11-20 09:00", ["2026-11-23 09:00", "2026-11-24 09:00"]),
    ("0 9 * * 1-5", "2026-11-20 08:59", ["2026-11-20 09:00", "2026-11-23 09:00"]),
    ("*/20 8-9 * * *", "2026-11-20 08:30", ["2026-11-20 08:40", "2026-11-20 09:00", "2026-11-20 09:20"]),
    ("5,35 */12 * * *", "2026-11-20 00:10", ["2026-11-20 00:35", "2026-11-20 12:05", "2026-11-20 12:35"]),
    ("10-30/10 0 1 * *", "2026-01-01 00:10", ["2026-01-01 00:20", "2026-01-01 00:30", "2026-02-01 00:10"]),
    ("0 0 31 * *", "2026-01-31 00:00", ["2026-03-31 00:00", "2026-05-31 00:00", "2026-07-31 00:00"]),
    ("0 0 29 2 *", "2026-01-01 00:00", ["2028-02-29 00:00", "2032-02-29 00:00"]),
    ("0 0 29 2 *", "2096-02-29 00:00", ["2104-02-29 00:00"]),
    ("0 0 29 2 *", "1896-02-29 00:00", ["1904-02-29 00:00"]),
    ("0 0 29 2 *", "1996-03-01 00:00", ["2000-02-29 00:00"]),
    // Both day fields are restricted: either is enough.
    ("0 0 13 * FRI", "2026-11-01 00:00", ["2026-11-06 00:00", "2026-11-13 00:00", "2026-11-20 00:00"]),
    ("0 0 30 2 MON", "2026-02-01 00:00", ["2026-02-02 00:00", "2026-02-09 00:00"]),
    ("0 0 1-31 * MON", "2026-11-03 00:00", ["2026-11-04 00:00"]),
    // If a day field begins with *, both must match.
    ("0 0 */2 * MON", "2026-11-01 00:00", ["2026-11-09 00:00", "2026-11-23 00:00"]),
    ("0 0 13 * */5", "2026-11-01 00:00", ["2026-11-13 00:00", "2026-12-13 00:00", "2027-06-13 00:00"]),
    ("0 0 29 2 */6", "2026-01-01 00:00", ["2032-02-29 00:00", "2048-02-29 00:00", "2060-02-29 00:00"]),
    ("0 0 * * 0", "2026-11-20 00:00", ["2026-11-22 00:00"]), ("0 0 * * 7", "2026-11-20 00:00", ["2026-11-22 00:00"]),
    ("0 0 * * SUN", "2026-11-20 00:00", ["2026-11-22 00:00"]),
    ("0 0 * * sat-sun", "2026-11-20 00:00", ["2026-11-21 00:00", "2026-11-22 00:00", "2026-11-28 00:00"]),
    ("0 0 * * 5-0", "2026-11-19 00:00", ["2026-11-20 00:00", "2026-11-21 00:00", "2026-11-22 00:00"]),
    ("0 0 * * 0-1", "2026-11-19 00:00", ["2026-11-22 00:00", "2026-11-23 00:00", "2026-11-29 00:00"]),
    ("0 0 1 jan,Jul *", "2026-02-01 00:00", ["2026-07-01 00:00", "2027-01-01 00:00"]),
    ("00 07 01 08 *", "2026-02-01 00:00", ["2026-08-01 07:00"]),
    ("@hourly", "2026-11-20 09:00", ["2026-11-20 10:00"]), ("@daily", "2026-11-20 09:00", ["2026-11-21 00:00"]),
    ("@midnight", "2026-11-20 09:00", ["2026-11-21 00:00"]), ("@WEEKLY", "2026-11-20 09:00", ["2026-11-22 00:00"]),
    ("@monthly", "2026-11-20 09:00", ["2026-12-01 00:00"]), ("@yearly", "2026-11-20 09:00", ["2027-01-01 00:00"]),
    ("@annually", "2026-11-20 09:00", ["2027-01-01 00:00"]),
    (" \t0  9 *\t* * ", "2026-11-20 09:00", ["2026-11-21 09:00"]),
]

/// A text and its faults: code, field and column.
private let faultyTexts: [(text: String, faults: [String])] = [
    ("", ["empty 1"]), ("  ", ["empty 1"]), ("* * * *", ["wrong_count 1"]), ("0 0 0 * * *", ["wrong_count 11"]),
    ("@reboot", ["unsupported 1"]), ("@every 5m", ["unsupported 1"]), ("@daily *", ["wrong_count 1"]),
    (" @dayly", ["unknown_name 2"]), ("TZ=UTC 0 9 * * *", ["unsupported 1"]),
    (
        "60 24 0 13 8",
        [
            "out_of_range minute 1", "out_of_range hour 4", "out_of_range day of month 7", "out_of_range month 9",
            "out_of_range day of week 12",
        ]
    ),
    ("5,61,7,62 * 32 * *", ["out_of_range minute 3", "out_of_range minute 8", "out_of_range day of month 13"]),
    ("5/15 * * * *", ["step_without_range minute 1"]), ("*/0 * * * *", ["invalid_step minute 3"]),
    ("*/60 * * * *", ["step_too_long minute 3"]), ("10-20/11 * * * *", ["step_too_long minute 7"]),
    ("*/-1 * * * *", ["invalid_step minute 3"]), ("*/5/5 * * * *", ["invalid_step minute 3"]),
    ("*/ * * * *", ["invalid_step minute 3"]), ("0 22-6 * * *", ["backward_range hour 3"]),
    ("0 0 * NOV-FEB *", ["backward_range month 7"]), ("0 0 * * FRI-MON", ["backward_range day of week 9"]),
    ("1-2-3 * * * *", ["invalid_range minute 4"]), ("1- * * * *", ["missing_value minute 3"]),
    ("1,,2 * * * *", ["missing_value minute 3"]), (", * * * *", ["missing_value minute 1", "missing_value minute 2"]),
    ("-5 * * * *", ["missing_value minute 1"]), ("MON * * * *", ["invalid_value minute 1"]),
    ("0 0 * * MONDAY", ["invalid_value day of week 9"]), ("0 0 * MON *", ["invalid_value month 7"]),
    ("0 0 L * *", ["unsupported day of month 5"]), ("0 0 15W * *", ["unsupported day of month 5"]),
    ("0 0 ? * FRI#2", ["unsupported day of month 5", "unsupported day of week 9"]),
    ("** * * * *", ["invalid_value minute 1"]), ("*-5 * * * *", ["invalid_value minute 1"]),
    ("٣ * * * *", ["invalid_value minute 1"]), ("1e1 * * * *", ["invalid_value minute 1"]),
    ("99999999999999999999 * * * *", ["invalid_value minute 1"]), ("0 0 30 2 *", ["never day of month 5"]),
    ("0 0 31 2,4,6,9,11 *", ["never day of month 5"]),
    ("0 0 30 2 */2", ["never day of month 5"]), (String(repeating: "*", count: 257), ["too_long 1"]),
]

/// An expression and its description in English.
private let wordings: [(String, String)] = [
    ("* * * * *", "every minute"), ("*/15 * * * *", "every 15 minutes"), ("@hourly", "at minute 0 of every hour"),
    ("5,35,36 * * * *", "at minutes 5, 35 and 36 of every hour"), ("@daily", "at 00:00 every day"),
    ("0 9 * * MON-FRI", "at 09:00 on Monday to Friday"), ("0 9,17 * * 0", "at 09:00 and 17:00 on Sunday"),
    ("30 6 * * 6,7", "at 06:30 on Saturday and Sunday"), ("0 0 * * FRI-SUN", "at 00:00 on Friday to Sunday"),
    ("0 0 1,2,15 * *", "at 00:00 on the 1st, 2nd and 15th of the month"),
    ("0 0 11-13,22,23 * *", "at 00:00 on the 11th to 13th, 22nd and 23rd of the month"),
    ("0 0 13 * FRI", "at 00:00 on the 13th of the month, and also on Friday"),
    ("0 0 13 * */5", "at 00:00 on the 13th of the month if it is a Friday or Sunday"),
    ("0 0 1 1 *", "at 00:00 on the 1st of the month in January"),
    ("0 12 * 3-5 *", "at 12:00 every day in March to May"),
    ("*/10 8-17 * * 1", "every 10 minutes from 08:00 to 17:59 on Monday"),
    ("* 8,20 * * *", "every minute from 08:00 to 08:59 and 20:00 to 20:59 every day"),
    ("1-4 8-9 * * *", "at minutes 1 to 4 of each hour from 08:00 to 09:59 every day"),
]

@Suite("Cron expressions")
struct CronExpressionTests {
    @Test("the next times are found", arguments: corpus.indices)
    func next(index: Int) throws {
        let (text, after, expected) = corpus[index]
        let expression = try CronExpression(parsing: text)
        var time = try #require(LocalTime(after))
        for expected in expected {
            time = try #require(expression.next(after: time))
            #expect(time.description == expected, "\(text)")
        }
    }

    @Test("every fault is reported with its field and column", arguments: faultyTexts.indices)
    func faults(index: Int) throws {
        let (text, expected) = faultyTexts[index]
        let error = #expect(throws: InvalidCronExpression.self) { try CronExpression(parsing: text) }
        let found = (error?.faults ?? []).map { fault in
            ([fault.code] + [fault.field?.rawValue].compactMap { $0 } + [String(fault.column)]).joined(separator: " ")
        }
        #expect(found == expected, "\(text)")
    }

    @Test(
        "the text that a fault suggests is valid and has the intended meaning",
        arguments: [
            ("0 22-6 * * *", "0 22,23,0-6 * * *"), ("50-10 * * * *", "50-59,0-10 * * * *"),
            ("0 0 * NOV-FEB *", "0 0 * 11,12,1,2 *"), ("0 0 * * FRI-MON", "0 0 * * 5,6,0,1"),
            ("0 0 * * 6-1", "0 0 * * 6,0,1"), ("0 0 * * 7-1", "0 0 * * 0,1"), ("0 0 * * 7-6", "0 0 * * *"),
            ("5/15 * * * *", "5,20,35,50 * * * *"), ("50/15 * * * *", "50 * * * *"),
            ("0 0 * * MON/2", "0 0 * * 1,3,5,7"), ("0 0 * * 7/2", "0 0 * * 7"),
        ])
    func advice(faulty: String, meant: String) throws {
        let error = #expect(throws: InvalidCronExpression.self) { try CronExpression(parsing: faulty) }
        let detail = try #require(error?.faults.first?.detail)
        let advised = try #require(detail.split(separator: "write ").last)
        let fault = try #require(faulty.split(separator: " ").first { $0.contains("-") || $0.contains("/") })
        let expression = try CronExpression(parsing: faulty.replacing(fault, with: advised))
        let other = try CronExpression(parsing: meant)
        let start = try #require(LocalTime("2028-01-01 00:00"))
        var (time, expected) = (start, start)
        for _ in 1...100 {
            (time, expected) = (
                try #require(expression.next(after: time)), try #require(other.next(after: expected))
            )
            #expect(time == expected, "\(detail)")
        }
    }

    @Test("the message uses the singular for one field")
    func count() {
        let error = #expect(throws: InvalidCronExpression.self) { try CronExpression(parsing: "5") }
        #expect(error?.faults.first?.detail.hasPrefix("has 1 field instead of five") == true)
    }

    @Test("an expression is described in English", arguments: wordings)
    func words(text: String, words: String) throws {
        #expect(try CronExpression(parsing: text).inWords == words)
    }

    @Test(
        "the times on a matching day are counted",
        arguments: [("* * * * *", 1_440), ("@hourly", 24), ("*/30 8-17 * * MON", 20), ("0 0 29 2 *", 1)])
    func timesADay(text: String, times: Int) throws {
        #expect(try CronExpression(parsing: text).timesADay == times)
    }

    @Test("the text is kept as written, with single spaces")
    func text() throws {
        #expect(try CronExpression(parsing: " 0  9 * * mon-Fri").text == "0 9 * * mon-Fri")
        #expect(try CronExpression(parsing: "@Daily").text == "@Daily")
    }

    @Test("local times are parsed and printed, and only valid ones")
    func localTimes() {
        for text in ["0001-01-01 00:00", "2024-02-29 23:59", "9999-12-31 23:59"] {
            #expect(LocalTime(text)?.description == text)
        }
        for text in [
            "2026-02-29 00:00", "2100-02-29 00:00", "2026-13-01 00:00", "2026-00-01 00:00", "2026-04-31 00:00",
            "2026-01-01 24:00", "2026-01-01 00:60", "2026-01-01T00:00", "2026-01-01 00:00 ", "0000-01-01 00:00", "",
        ] {
            #expect(LocalTime(text) == nil, "\(text)")
        }
    }

    @Test("no time comes after the last year")
    func end() throws {
        let last = try #require(LocalTime("9999-12-31 23:59"))
        for text in ["* * * * *", "@yearly", "0 0 29 2 *"] {
            #expect(try CronExpression(parsing: text).next(after: last) == nil)
        }
    }
}

import Foundation
import Testing

@testable import Postgres

@Suite("A timestamp") struct TimestampTests {
    private func parse(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { Timestamp(text: $0)?.microseconds }
    }

    @Test(
        "a timestamp is read at any offset",
        arguments: [
            ("1970-01-01 00:00:00+00", 0), ("1970-01-01 01:00:00+01", 0), ("1969-12-31 18:30:00-05:30", 0),
            ("2000-02-29 12:00:00.5+00", 951_825_600_500_000), ("1969-12-31 23:59:59.999999+00", -1),
            ("0001-01-01 00:00:00+00", -62_135_596_800_000_000),
            ("1900-01-01 00:19:32+00:19:32", -2_208_988_800_000_000),
            ("9999-12-31 23:59:59.999999+00", 253_402_300_799_999_999),
        ])
    func read(text: String, microseconds: Int64) {
        #expect(parse(text) == microseconds)
    }

    @Test(
        "a timestamp in any other form is refused",
        arguments: [
            "", "infinity", "-infinity", "0044-03-15 00:00:00+00 BC", "2026-01-01", "2026-01-01 00:00:00",
            "2026-13-01 00:00:00+00", "2026-01-01 00:00:00+00x", "01/02/2026 00:00:00+00", "2026-01-01 00:00:00.+00",
        ])
    func refuse(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("timestamps survive writing and reading, over the whole range")
    func roundTrip() {
        var generator = SystemRandomNumberGenerator()
        let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
        for _ in 0..<20_000 {
            let timestamp = Timestamp(microseconds: .random(in: range, using: &generator))
            #expect(timestamp.text.flatMap(parse) == timestamp.microseconds)
        }
        #expect(Timestamp(microseconds: range.lowerBound - 1).text == nil)
        #expect(Timestamp(microseconds: range.upperBound + 1).text == nil)
    }

    @Test("a date outside the years 1 to 9999 is refused before sending", arguments: [-1e15, 1e15, .nan, .infinity])
    func outOfRange(seconds: Double) {
        let statement: SQL = "select \(Date(timeIntervalSince1970: seconds))"
        #expect(statement.failure?.kind == .encoding)
    }
}

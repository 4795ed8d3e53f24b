import AASA
import StrictJSON
import Testing

/// Runs every case of `Fixtures/cases.json`, by certainty: `observed` expectations come from Apple's `swcutil`,
/// `documented` ones from Apple's documentation. The legend in the file explains the others.
@Suite struct ConformanceTests {
    @Test("every observed and documented pattern case passes")
    func certainCases() throws {
        for outcome in try ConformanceCase.all().map(\.outcome) where outcome.isCertain {
            #expect(outcome.differences.isEmpty, "\(outcome.id): \(outcome.differences.joined(separator: "; "))")
        }
    }

    @Test("the less certain cases pass too, and the table counts all cases")
    func table() throws {
        var table: [String: (passed: Int, of: Int)] = [:]
        for outcome in try ConformanceCase.all().map(\.outcome) {
            let row = "\(outcome.layer) \(outcome.certainty)"
            table[row, default: (0, 0)].of += 1
            if outcome.differences.isEmpty {
                table[row, default: (0, 0)].passed += 1
            } else {
                Issue.record("\(outcome.id) (\(row)): \(outcome.differences.joined(separator: "; "))")
            }
        }
        for (row, count) in table.sorted(by: { $0.key < $1.key }) {
            print("conformance: \(row): \(count.passed) of \(count.of)")
        }
        #expect(table.values.reduce(0) { $0 + $1.of } == 383)
    }
}

import AASA
import StrictJSON
import Testing

/// How certain outcomes are said to be.
@Suite struct CertaintyTests {
    @Test("what is observed or documented is called documented; the table counts the rest")
    func cases() throws {
        var table: [String: Int] = [:]
        for conformance in try ConformanceCase.all() {
            let evaluation = try #require(conformance.evaluation)
            let id = conformance.json["id"]?.string ?? "?"
            let stated = conformance.json["certainty"]?.string ?? "?"
            let found = evaluation.certainty?.rawValue ?? "?"
            table["\(stated) called \(found)", default: 0] += 1
            if ["observed", "documented"].contains(stated) {
                #expect(found == "documented", "\(id): \(evaluation.uncertainties)")
            }
            if stated == "open" { #expect(found != "documented", "\(id)") }
            #expect(evaluation.uncertainties.isEmpty == (found == "documented"), "\(id)")
        }
        for (row, count) in table.sorted(by: { $0.key < $1.key }) { print("certainty: \(row): \(count)") }
    }
}

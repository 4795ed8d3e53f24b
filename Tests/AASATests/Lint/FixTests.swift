import AASA
import StrictJSON
import Testing

/// Applies every fix that is offered: the finding is gone, there is nothing worse, and the outcomes are as promised.
@Suite struct FixTests {
    /// Checks every fix. Returns how many claim to keep the outcomes.
    @discardableResult
    private func check(_ bytes: [UInt8], _ name: String) throws -> Int {
        let report = Association.lint(bytes)
        for finding in report.findings {
            guard let fix = finding.fix else { continue }
            let place = "\(name) \(finding.code.rawValue) \(finding.pointer): \(fix.title)"
            let mended = try #require(fix.applied(to: bytes), "\(place)")
            let after = Association.lint(mended)
            let count = { (report: LintReport) in report.findings.count { $0.code == finding.code } }
            // A key that iOS now reads may have findings of the same kind, but not this one.
            let isGone =
                count(after) < count(report)
                || !after.findings.contains { $0.code == finding.code && $0.message == finding.message }
            #expect(isGone, "\(place)")
            let errors = { (report: LintReport) in report.findings.count { $0.severity == .error } }
            if fix.keepsOutcomes {
                #expect(errors(after) <= errors(report), "\(place)")
                try expectSameOutcomes(bytes, mended, place)
            } else {
                #expect(throws: Never.self, "\(place)") { try Association(parsing: mended) }
            }
        }
        return report.findings.count { $0.fix?.keepsOutcomes == true }
    }

    private func expectSameOutcomes(_ before: [UInt8], _ after: [UInt8], _ place: String) throws {
        let (old, new) = (try Association(parsing: before), try Association(parsing: after))
        let difference = old.difference(
            to: new, urls: SampleURLs.urls(for: old), samples: 2_000, systems: [.ios13, .ios13point5, .ios14])
        #expect(difference.outcomes.isEmpty, "\(place)")
        #expect(!difference.isTruncated, "\(place)")
    }

    @Test("every fix offered for the examples of the pages does what it says", arguments: FindingCode.allCases)
    func pages(code: FindingCode) throws {
        let name = "docs/findings/\(code.rawValue.prefix(4))x/\(code.rawValue).md"
        let page = String(decoding: try Fixture.bytes("../../\(name)"), as: UTF8.self)
        let parts = page.split(separator: "```json\n").dropFirst()
        for part in parts {
            let block = part.split(separator: "\n```").first ?? ""
            try check(Array(block.utf8), name)
        }
    }

    @Test(
        "fixes do not change the rest of the text",
        arguments: [
            (
                "{\"applinks\": {\n  \"apps\": [\"Q1W2E3R4T5.a\"], \"details\": [{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[{\"/\":\"/a\"}]}]}}",
                "{\"applinks\": {\n  \"apps\": [], \"details\": [{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[{\"/\":\"/a\"}]}]}}"
            ),
            (
                "{\"appLinks\" : {\"details\":[{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[{\"/\":\"/a\"}]}]}}",
                "{\"applinks\" : {\"details\":[{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[{\"/\":\"/a\"}]}]}}"
            ),
            (
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[\n {\"/\":\"/a*\"},\n {\"/\":\"/ab\",\"exclude\":true}\n]}]}}",
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[\n {\"/\":\"/ab\",\"exclude\":true},\n {\"/\":\"/a*\"}\n]}]}}"
            ),
            (
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[ {\"/\":\"/a*\"}, {\"/\":\"/ab\"}, {\"/\":\"/c\"} ]}]}}",
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"Q1W2E3R4T5.a\"],\"components\":[ {\"/\":\"/a*\"}, {\"/\":\"/c\"} ]}]}}"
            ),
        ])
    func text(before: String, after: String) throws {
        let fix = try #require(Association.lint(Array(before.utf8)).findings.compactMap(\.fix).first)
        #expect(fix.applied(to: Array(before.utf8)).map { String(decoding: $0, as: UTF8.self) } == after)
    }

    @Test("fixes that touch each other wait; a fix for another text is refused")
    func conflicts() {
        func fix(_ offset: Int, _ length: Int, _ text: String) -> Fix {
            Fix(title: "t", keepsOutcomes: true, edits: [Fix.Edit(offset: offset, length: length, text: text)])
        }
        let text = Array("abcdef".utf8)
        let (result, applied) = Fix.apply([fix(0, 2, "X"), fix(1, 2, "Y"), fix(4, 1, ""), fix(4, 0, "Z")], to: text)
        #expect(String(decoding: result, as: UTF8.self) == "Xcdf")
        #expect(applied == 2)
        #expect(fix(5, 9, "").applied(to: text) == nil)
        #expect(fix(-1, 1, "").applied(to: text) == nil)
    }

    @Test("every fix offered for real files does what it says", Corpus.condition)
    func corpus() throws {
        var keeping = 0
        for file in try Corpus.files() { keeping += try check(file.bytes, file.name) }
        #expect(keeping > 30)
    }
}

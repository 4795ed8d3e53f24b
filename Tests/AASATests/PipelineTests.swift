import AASA
import StrictJSON
import Testing

/// The example of `Sources/AASA/README.md`: from the bytes of a file to a verdict on a URL.
@Suite struct PipelineTests {
    @Test("a file goes through every step, from its bytes to a verdict with its reason")
    func everyStep() throws {
        let makeID = DraftTests.ids()
        let text = """
            {"applinks": {"details": [{
              "appIDs": ["H2K7M4T9QX.com.acme.shop"],
              "components": [{"/": "/buy/*"}, {"/": "/buy/archive/*", "exclude": true}]
            }]}}
            """
        let association = try Association(parsing: Array(text.utf8))

        let imported = Draft.importing(association, makeID: makeID)
        var draft = imported.draft
        let changes = imported.report.items
        #expect(changes.isEmpty)

        let before = draft.lint(draft.association().bytes).findings
        #expect(before.map(\.severity) == [.error])
        let finding = before.map { "\($0.code.rawValue): \($0.message)\n\($0.remedy)" }.joined()
        #expect(try Self.page().contains("```text\n\(finding)\n```"), "\(finding)")

        try draft.moveRule(draft.allRules[1].rule.id, position: 0)
        let file = draft.association().bytes
        let after = draft.lint(file).findings
        #expect(after.isEmpty)

        let published = try Association(parsing: file)
        let verdict = CompiledAssociation(published).evaluate("https://www.acme.example/buy/archive/1")
        #expect(verdict.outcome == .excluded)
        #expect(verdict.apps.first?.decidedBy?.description == "/applinks/details/0/components/0")

        let explained = Explainer(published).evaluate("https://www.acme.example/buy/archive/1", explaining: .allApps)
        #expect(explained.certainty == .documented)
        let reason = explained.trace?.first?.rules.last?.parts.first?.reason ?? ""
        #expect(try Self.page().contains("```text\n\(reason)\n```"), "\(reason)")
    }

    @Test("the README has the code of this example")
    func code() throws {
        let source = Fixture.lines("PipelineTests.swift").map { $0.drop { $0 == " " } }
        let blocks = try Self.page().components(fencedAs: "swift")
        #expect(blocks.count == 6)
        for line in blocks.flatMap({ $0.split(separator: "\n") }) {
            #expect(source.contains(line.drop { $0 == " " }), "\(line)")
        }
    }

    private static func page() throws -> String {
        String(decoding: try Fixture.bytes("../../Sources/AASA/README.md"), as: UTF8.self)
    }
}

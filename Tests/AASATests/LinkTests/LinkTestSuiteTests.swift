import AASA
import StrictJSON
import Testing

/// A row of combining marks.
private func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

/// A suite and its faults: line, pointer and code.
private struct SuiteReading: Sendable, CustomTestStringConvertible {
    let text: String
    let faults: [String]
    var testDescription: String { text }

    init(_ text: String, _ faults: String...) {
        self.text = text
        self.faults = faults
    }
}

private let app = "ABCDE12345.com.example.app"

private let readings = [
    SuiteReading("url,expect\n/a,none"),
    SuiteReading("\u{FEFF}url,expect\r\n/a,none\r\n\r\n"),
    SuiteReading("note,expect,url\r\"a,\"\"b\"\"\nc\",none,/a\r"),
    SuiteReading("\"url\",\"expect\",app,note,os\n/a,opens,\(app),,ios13\n/a,opens,\(app),,\n"),
    SuiteReading("url,expect,app,note\n"),
    SuiteReading(#" {"tests":[{"url":"/a","expected":{"outcome":"none"}}]}"#),
    SuiteReading(#"{"tests":[]}"#),
    SuiteReading("", "1  empty"),
    SuiteReading("/a,none\n", "1  invalid_header"),
    SuiteReading("url;expect\n/a;none\n", "1  invalid_header"),
    SuiteReading("url,expect,url\n", "1  invalid_header"),
    SuiteReading("url,note\n", "1  invalid_header"),
    SuiteReading("url,expect\n\n/a,\"none\n", "3  malformed_csv"),
    SuiteReading("url,expect\n/a\"b,none\n", "2  malformed_csv"),
    SuiteReading("url,expect\n\"/a\"b,none\n", "2  malformed_csv"),
    SuiteReading("url,expect\n/a\(marks(65)),none\n", "2  malformed_csv"),
    SuiteReading("e\(marks(65)),expect\n/a,none\n", "1  malformed_csv"),
    SuiteReading("url,expect\n/a\n/b,none,,\n", "2 /tests/0 wrong_columns", "3 /tests/1 wrong_columns"),
    SuiteReading(
        "url,expect,app\n\nhttps://other.example/,opens,\n,no,\n", "3 /tests/0/url other_host",
        "3 /tests/0/expected/app required", "4 /tests/1/url required", "4 /tests/1/expected/outcome invalid_choice"),
    SuiteReading("url,expect,os\n/a,none,\n/a,none,ios13\n/a,excluded,\n", "4 /tests/2 repeated"),
    SuiteReading("url,expect\n/a\u{0},none\n", "1  not_text"),
    SuiteReading("{\n\"tests\": [}", "2  malformed_json"),
    SuiteReading("[]", "1  wrong_type"),
    SuiteReading(
        "{\"tests\": [\n{\"url\": \"/a\",\n\"expected\": {\"outcome\": \"x\"}},\n{\"url\": 1}]}",
        "3 /tests/0/expected/outcome invalid_choice", "4 /tests/1/url wrong_type", "4 /tests/1/expected required"),
    SuiteReading(
        "{\"tests\": [{\"url\": \"/a\", \"expected\": {\"outcome\": \"none\"}},\n"
            + "{\"url\": \"/a\", \"expected\": {\"outcome\": \"none\"}}]}", "2 /tests/1 repeated"),
]

@Suite("Link test suites")
struct LinkTestSuiteTests {
    private func suite(_ text: String) throws -> LinkTestSuite {
        try LinkTestSuite(parsing: Array(text.utf8), on: Host("www.example.com"))
    }

    @Test("a suite is read, or refused with every fault, its line and its place", arguments: readings)
    fileprivate func reading(_ given: SuiteReading) throws {
        do {
            let suite = try suite(given.text)
            #expect(given.faults == [])
            #expect(try LinkTestSuite(parsing: suite.csv).tests == suite.tests)
            #expect(try LinkTestSuite(parsing: suite.json.bytes()).tests == suite.tests)
        } catch let error as InvalidLinkTestSuite {
            #expect(error.faults.map { "\($0.line) \($0.fault.pointer) \($0.fault.code)" } == given.faults)
        }
    }

    @Test("the columns can have any order, and quoted fields can have commas, quotation marks and line breaks")
    func fields() throws {
        let tests = try suite("note,expect,url\r\"a,\"\"b\"\"\nc\",excluded,/a\r").tests
        #expect(tests == [LinkTest(url: "/a", expected: .excluded, note: "a,\"b\"\nc")])
    }

    @Test("a suite that is not UTF-8 is refused")
    func encoding() {
        let error = #expect(throws: InvalidLinkTestSuite.self) {
            try LinkTestSuite(parsing: Array("url,expect,note\n/a,none,".utf8) + [0xE4])
        }
        #expect(error?.faults.map(\.fault.code) == ["not_text"])
    }

    @Test("a suite has at most 1,000 tests, and at most 200 faults are reported")
    func limits() throws {
        func csv(_ count: Int, _ expect: String) -> String {
            "url,expect\n" + (0..<count).map { "/\($0),\(expect)\n" }.joined()
        }
        func json(_ count: Int) -> String {
            let tests = (0..<count).map { #"{"url":"/\#($0)","expected":{"outcome":"none"}}"# }
            return #"{"tests":[\#(tests.joined(separator: ","))]}"#
        }
        #expect(try suite(csv(1_000, "none")).tests.count == 1_000)
        #expect(try suite(json(1_000)).tests.count == 1_000)
        for text in [csv(1_001, "none"), json(1_001)] {
            let error = #expect(throws: InvalidLinkTestSuite.self) { try suite(text) }
            #expect(error?.faults.map(\.fault.code) == ["too_many"])
        }
        let error = #expect(throws: InvalidLinkTestSuite.self) { try suite(csv(1_000, "x")) }
        #expect(error?.faults.count == 200)
    }

    @Test("the CSV has a header, ends lines with CR LF, and has a column for the system only if a test has one")
    func writing() throws {
        let opens = LinkTest(url: "/a,b", expected: .opens(try AppID(app)), note: "say \"hi\"")
        let none = LinkTest(url: "/c", expected: .none, os: .ios13)
        #expect(
            String(decoding: LinkTestSuite([opens]).csv, as: UTF8.self)
                == "url,expect,app,note\r\n\"/a,b\",opens,\(app),\"say \"\"hi\"\"\"\r\n")
        #expect(
            String(decoding: LinkTestSuite([none]).csv, as: UTF8.self)
                == "url,expect,app,note,os\r\n/c,none,,,ios13\r\n")
        #expect(String(decoding: LinkTestSuite([]).csv, as: UTF8.self) == "url,expect,app,note\r\n")
    }

    @Test(
        "no field starts like a formula, and every note is read back unchanged",
        arguments: [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "''+1", "'", "'quoted'", "", " ",
            "a=b",
            "é", "e\u{301}", "=\u{301}", "\r\n", "\"", ",", "'\u{301}=",
        ])
    func formulas(note: String) throws {
        let suite = LinkTestSuite([LinkTest(url: "/a", expected: .none, note: note)])
        let field = String(decoding: suite.csv, as: UTF8.self).unicodeScalars.drop { $0 != "\n" }.dropFirst()
            .dropFirst("/a,none,,".count).drop { $0 == "\"" }
        #expect(field.first.map { !"=+-@\t＝＋－＠".unicodeScalars.contains($0) } ?? true, "\(field)")
        let back = try #require(try LinkTestSuite(parsing: suite.csv).tests.first)
        #expect(Array(back.note.utf8) == Array(note.utf8))
        #expect(try LinkTestSuite(parsing: suite.json.bytes()) == suite)
    }
}

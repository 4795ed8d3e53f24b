import AASA
import StrictJSON
import Testing

/// A test in the JSON of a request, and its faults: pointers and codes.
private struct Reading: Sendable, CustomTestStringConvertible {
    let json: String
    let faults: [String]
    var testDescription: String { json }

    init(_ json: String, _ faults: String...) {
        self.json = json
        self.faults = faults
    }
}

private let app = "ABCDE12345.com.example.app"

private let readings = [
    Reading(#"{"url":"/a?b#c","expected":{"outcome":"none"}}"#),
    Reading(#"{"url":"https://www.example.com/a","expected":{"outcome":"excluded"},"os":null,"note":"n"}"#),
    Reading(#"{"url":"HTTP://WWW.Example.com","expected":{"outcome":"opens","app":"\#(app)"},"os":"ios13"}"#),
    Reading(#"{}"#, "/url required", "/expected required"),
    Reading(#"{"url":"/","expected":{"outcome":"opens"}}"#, "/expected/app required"),
    Reading(#"{"url":"/","expected":{"outcome":"opens","app":null}}"#, "/expected/app wrong_type"),
    Reading(#"{"url":"/","expected":{"outcome":"opens","app":"x"}}"#, "/expected/app invalid_app_id"),
    Reading(#"{"url":"/","expected":{"outcome":"none","app":"\#(app)"}}"#, "/expected/app not_applicable"),
    Reading(#"{"url":"/","expected":{"outcome":"maybe"}}"#, "/expected/outcome invalid_choice"),
    Reading(#"{"url":"/","expected":{"outcome":"none"},"os":"ios8"}"#, "/os invalid_choice"),
    Reading(#"{"url":"/","expected":{"outcome":"none"},"expects":1}"#, "/expects unknown_key"),
    Reading(#"{"url":"","expected":{"outcome":"none"}}"#, "/url too_short"),
    Reading(#"{"url":"https://example.com/","expected":{"outcome":"none"}}"#, "/url other_host"),
    Reading(#"{"url":"https://www.example.com:8443/","expected":{"outcome":"none"}}"#, "/url invalid_url"),
    Reading(#"{"url":"ftp://www.example.com/","expected":{"outcome":"none"}}"#, "/url invalid_url"),
    Reading(#"{"url":"www.example.com/a","expected":{"outcome":"none"}}"#, "/url invalid_url"),
    Reading(#"{"url":"/a\nb","expected":{"outcome":"none"}}"#, "/url invalid_url"),
]

@Suite("Link tests")
struct LinkTestTests {
    private let host = try? Host("www.example.com")

    @Test("a test is read, or refused with every fault and its place", arguments: readings)
    fileprivate func reading(_ given: Reading) throws {
        let json = try JSONDocument(parsing: Array(given.json.utf8)).root
        do throws(JSONFaults) {
            let test = try LinkTest(json: json, on: host)
            #expect(given.faults == [])
            let again = try LinkTest(json: test.json, on: host)
            #expect(again == test, "what is written is read again")
        } catch {
            #expect(error.faults.map { "\($0.pointer) \($0.code)" } == given.faults)
        }
    }

    @Test("a URL can have 2,048 bytes, and a note 1,000 characters")
    func limits() throws {
        func test(url: Int, note: Int) -> JSONValue {
            [
                "url": .string("/" + String(repeating: "ä", count: url / 2) + "a"), "expected": ["outcome": "none"],
                "note": .string(String(repeating: "ä", count: note)),
            ]
        }
        #expect(try LinkTest(json: test(url: 2_046, note: 1_000), on: host).url.utf8.count == 2_048)
        #expect(throws: JSONFaults.self) { try LinkTest(json: test(url: 2_048, note: 0), on: host) }
        #expect(throws: JSONFaults.self) { try LinkTest(json: test(url: 2, note: 1_001), on: host) }
    }

    @Test("a change keeps absent fields, and can clear the system")
    func patching() throws {
        let test = LinkTest(url: "/a", expected: .excluded, os: .ios13, note: "n")
        let unchanged = try LinkTestPatch(json: [:], on: host)
        #expect(test.applying(unchanged) == test)
        let patch = try LinkTestPatch(
            json: ["url": "/b", "expected": ["outcome": "opens", "app": .string(app)], "os": nil, "note": ""], on: host)
        #expect(test.applying(patch) == LinkTest(url: "/b", expected: .opens(try AppID(app))))
        let faults = #expect(throws: JSONFaults.self) {
            try LinkTestPatch(json: ["url": nil, "expected": nil, "note": nil], on: host)
        }
        #expect(faults?.faults.map(\.code) == ["not_nullable", "not_nullable", "not_nullable"])
    }

    private static let file = #"""
        {"applinks":{"details":[
          {"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/a/x","exclude":true},{"/":"/a/*"}]},
          {"appIDs":["ABCDE12345.com.example.other"],
           "components":[{"/":"/A/*","caseSensitive":false},{"/":"/b","exclude":true}]}]}}
        """#

    private func run(_ test: LinkTest, os: SystemVersion = .latest) throws -> LinkTestResult {
        let association = try Association(parsing: Array(Self.file.utf8))
        return try #require(LinkTestRun([test], against: association, on: "www.example.com", os: os).results.first)
    }

    @Test("a test passes if outcome and app are as expected, and its result names the deciding rule")
    func outcomes() throws {
        let (first, second) = (try AppID(app), try AppID("ABCDE12345.com.example.other"))
        func check(_ url: String, _ expected: LinkTest.Expectation, _ passed: Bool, _ rule: String?) throws {
            let result = try run(LinkTest(url: url, expected: expected))
            #expect(result.passed == passed, "\(url)")
            #expect(result.decidedBy?.description == rule, "\(url)")
        }
        try check("/a/b", .opens(first), true, "/applinks/details/0/components/1")
        try check("/a/b", .opens(second), false, "/applinks/details/0/components/1")
        try check("/a/b", .none, false, "/applinks/details/0/components/1")
        try check("/a/x", .opens(second), true, "/applinks/details/1/components/0")
        try check("/b", .excluded, true, "/applinks/details/1/components/1")
        try check("/b", .none, false, "/applinks/details/1/components/1")
        try check("https://www.example.com/c", .none, true, nil)
        try check("/c", .excluded, false, nil)
    }

    @Test("a test's own system takes precedence over that of the run")
    func systems() throws {
        let other = try AppID("ABCDE12345.com.example.other")
        #expect(try run(LinkTest(url: "/a/x", expected: .opens(other))).passed)
        #expect(try !run(LinkTest(url: "/a/x", expected: .opens(other)), os: .ios13).passed)
        #expect(try run(LinkTest(url: "/a/x", expected: .opens(other), os: .ios14), os: .ios13).passed)
        #expect(try run(LinkTest(url: "/a/x", expected: .excluded, os: .ios13)).passed)
        let rejected = try run(LinkTest(url: "/a/x", expected: .none), os: .ios9)
        #expect(rejected.passed)
        #expect(rejected.reason?.contains("rejects the whole file") == true)
    }

    @Test("a test without a file or without time left is not run, and has not passed")
    func notRun() throws {
        let tests = (0..<5).map { LinkTest(url: "/c\($0)", expected: .none) }
        let association = try Association(parsing: Array(Self.file.utf8))
        var asked = 0
        let late = LinkTestRun(tests, against: association, on: nil) {
            asked += 1
            return asked <= 2
        }
        #expect(late.results.map(\.passed) == [true, true, false, false, false])
        #expect(late.results.last?.json["actual"] == .null)
        #expect((late.passed, late.failed) == (2, 3))
        let unreadable = LinkTestRun(tests, against: nil, on: nil)
        #expect((unreadable.passed, unreadable.results.last?.actual) == (0, nil))
    }
}

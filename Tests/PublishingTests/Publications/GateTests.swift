import AASA
import FoundationEssentials
import Storage
import StrictJSON
import Testing

@testable import Publishing

/// A candidate, its fault, and the check that reports it.
private struct GateCase: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: [GateReport.Check.Name: GateReport.Check.Outcome]
    let candidate: Gate.Candidate
    var testDescription: String { name }

    init(
        _ name: String, _ expected: [GateReport.Check.Name: GateReport.Check.Outcome],
        _ change: (inout Gate.Candidate) -> Void
    ) {
        self.name = name
        self.expected = expected
        var candidate = Gate.Candidate(
            file: good, draft: nil, isVerified: true, registered: [], live: nil, overridesSimilarity: false,
            approval: ApprovalNeed(required: 1, given: 1),
            purpose: .publishing)
        change(&candidate)
        self.candidate = candidate
    }
}

private let good = file()

/// A file with these apps, optionally of exactly `size` bytes.
private func file(apps: [String] = [Sample.app], size: Int? = nil) -> [UInt8] {
    let names = apps.map { "\"\($0)\"" }.joined(separator: ",")
    let whole = #"{"applinks":{"details":[{"appIDs":[\#(names)],"components":[{"/":"/a","comment":""}]}]}}"#
    guard let size else { return Array(whole.utf8) }
    let filling = String(repeating: "x", count: max(0, size - whole.utf8.count))
    return Array(whole.replacing(#""comment":"""#, with: #""comment":"\#(filling)""#).utf8)
}

private func parsed(_ file: [UInt8]) -> Association? { try? Association(parsing: file) }

/// The draft that generates the file.
private func draft(of file: [UInt8]) -> Draft? {
    var number = 0
    var draft = parsed(file).map { association in
        Draft.importing(association) {
            number += 1
            return "\(number)"
        }.draft
    }
    draft?.publishComments = true
    return draft
}

/// The result of a test for a file.
private func result(
    _ url: String, _ outcome: Evaluation.Outcome, in file: [UInt8]? = good
) -> SavedTestResult {
    let expected: LinkTest.Expectation? =
        switch outcome {
        case .opens: (try? AppID(Sample.app)).map { .opens($0) }
        case .excluded: .excluded
        case .none: LinkTest.Expectation.none
        }
    let tests = expected.map { [LinkTest(url: url, expected: $0)] } ?? []
    let run = LinkTestRun(tests, against: file.flatMap(parsed), on: "www.example.com")
    return SavedTestResult(id: ID(), result: run.results[0])
}

private let other = "ABCDE12345.com.example.other"
private let third = "ABCDE12345.com.example.third"

/// Replacements, each of one app by another, in order.
private func replaced(_ apps: (String, by: String)...) -> [ReplacedApp] {
    apps.enumerated().compactMap { number, pair in
        guard let old = try? AppID(pair.0), let new = try? AppID(pair.by) else { return nil }
        return ReplacedApp(old, by: new, revision: number + 1, at: Date(timeIntervalSince1970: 1_800_000_000))
    }
}

private let cases: [GateCase] = [
    GateCase("a good file of a verified domain passes") { _ in },
    GateCase("a generated file passes when it reads back as its draft") { $0.draft = draft(of: good) },
    GateCase("an empty file fails", [.generate: .failed, .parse: .failed, .lint: .failed]) {
        $0.draft = draft(of: good)
        $0.file = []
    },
    GateCase("a file that reads back as something else fails", [.parse: .failed]) {
        $0.draft = draft(of: file(apps: [other]))
    },
    GateCase("bytes that are no JSON fail", [.parse: .failed, .lint: .failed]) { $0.file = Array("{".utf8) },
    GateCase("a file with an error fails", [.lint: .failed]) { $0.file = file(apps: ["not an app ID"]) },
    GateCase("a file with remarks alone passes", [:]) { $0.file = file(apps: [other]) },
    GateCase("a file whose tests pass, passes") { $0.tests = [result("/a", .opens)] },
    GateCase("a test that fails is an obstacle", [.tests: .failed]) {
        $0.tests = [result("/a", .opens), result("/a", .none)]
    },
    GateCase("a test that fails is an obstacle to freezing", [.tests: .failed]) {
        $0.tests = [result("/a", .none)]
        $0.purpose = .freezing
    },
    GateCase("a test that was not run is an obstacle", [.tests: .failed]) {
        $0.tests = [result("/a", .opens, in: nil)]
    },
    GateCase("going back is never blocked by tests", [.tests: .informative]) {
        $0.tests = [result("/a", .none)]
        $0.purpose = .goingBack
    },
    GateCase("131,072 bytes pass") { $0.file = file(size: 131_072) },
    GateCase("131,073 bytes fail", [.size: .failed, .lint: .failed]) { $0.file = file(size: 131_073) },
    GateCase("an unverified domain fails", [.verified: .failed]) { $0.isVerified = false },
    GateCase("an unverified domain may be frozen", [.verified: .informative]) {
        $0.isVerified = false
        $0.purpose = .freezing
    },
    GateCase("more than double and 4,097 bytes more fails", [.similarity: .failed]) {
        $0.live = file(size: 4_000)
        $0.file = file(size: 8_097)
    },
    GateCase("more than double and 4,096 bytes more passes") {
        $0.live = file(size: 4_000)
        $0.file = file(size: 8_096)
    },
    GateCase("exactly double passes") {
        $0.live = file(size: 10_000)
        $0.file = file(size: 20_000)
    },
    GateCase("one byte more than double fails", [.similarity: .failed]) {
        $0.live = file(size: 10_000)
        $0.file = file(size: 20_001)
    },
    GateCase("exactly half passes") {
        $0.live = file(size: 20_000)
        $0.file = file(size: 10_000)
    },
    GateCase("one byte less than half fails", [.similarity: .failed]) {
        $0.live = file(size: 20_000)
        $0.file = file(size: 9_999)
    },
    GateCase("one byte less than half of an odd size fails", [.similarity: .failed]) {
        $0.live = file(size: 20_001)
        $0.file = file(size: 10_000)
    },
    GateCase("less than half and 4,096 bytes less passes") {
        $0.live = file(size: 8_191)
        $0.file = file(size: 4_095)
    },
    GateCase("less than half and 4,097 bytes less fails", [.similarity: .failed]) {
        $0.live = file(size: 8_192)
        $0.file = file(size: 4_095)
    },
    GateCase("an app gone fails", [.similarity: .failed]) { $0.live = file(apps: [Sample.app, other]) },
    GateCase("an app that was replaced is told of", [.similarity: .informative]) {
        $0.live = good
        $0.file = file(apps: [other])
        $0.replaced = replaced((Sample.app, by: other))
    },
    GateCase("one that was replaced twice is followed on", [.similarity: .informative]) {
        $0.live = good
        $0.file = file(apps: [third])
        $0.replaced = replaced((Sample.app, by: other), (other, by: third))
    },
    GateCase("an app that was replaced by one that is not there either fails", [.similarity: .failed]) {
        $0.live = good
        $0.file = file(apps: [third])
        $0.replaced = replaced((Sample.app, by: other))
    },
    GateCase("an app that was replaced and put back has gone when it goes again", [.similarity: .failed]) {
        $0.live = good
        $0.file = file(apps: [other])
        $0.replaced = replaced((Sample.app, by: other), (other, by: Sample.app))
    },
    GateCase("two apps that became one fail", [.similarity: .failed]) {
        $0.live = file(apps: [Sample.app, other])
        $0.file = file(apps: [third])
        $0.replaced = replaced((Sample.app, by: third), (other, by: third))
    },
    GateCase("an app that was replaced by one that was live beside it fails", [.similarity: .failed]) {
        $0.live = file(apps: [Sample.app, other])
        $0.file = file(apps: [other])
        $0.replaced = replaced((Sample.app, by: other))
    },
    GateCase("an app that was replaced and is there all the same is nothing to tell") {
        $0.live = good
        $0.file = file(apps: [Sample.app, other])
        $0.replaced = replaced((Sample.app, by: other))
    },
    GateCase("a replacement excuses no other app that is gone", [.similarity: .failed]) {
        $0.live = file(apps: [Sample.app, third])
        $0.file = file(apps: [other])
        $0.replaced = replaced((Sample.app, by: other))
    },
    GateCase("a replacement excuses no other size", [.similarity: .failed]) {
        $0.live = file(size: 10_000)
        $0.file = file(apps: [other])
        $0.replaced = replaced((Sample.app, by: other))
    },
    GateCase("an app more passes") {
        $0.live = good
        $0.file = file(apps: [Sample.app, other])
    },
    GateCase("a difference with a reason is overridden", [.similarity: .overridden]) {
        $0.live = file(apps: [other])
        $0.overridesSimilarity = true
    },
    GateCase("an override helps against nothing else", [.verified: .failed, .lint: .failed]) {
        $0.isVerified = false
        $0.file = file(apps: ["x"])
        $0.overridesSimilarity = true
    },
    GateCase("a difference is no obstacle to freezing", [.similarity: .informative]) {
        $0.live = file(apps: [other])
        $0.purpose = .freezing
    },
    GateCase("an error is an obstacle to freezing", [.lint: .failed]) {
        $0.file = file(apps: ["x"])
        $0.purpose = .freezing
    },
    GateCase(
        "going back is never blocked by lint, size or difference",
        [.lint: .informative, .size: .informative, .similarity: .informative]
    ) {
        $0.file = file(apps: ["x"], size: 131_073)
        $0.live = good
        $0.purpose = .goingBack
    },
    GateCase("an approval is missing", [.approval: .failed]) { $0.approval = ApprovalNeed(required: 2, given: 1) },
    GateCase("a version is saved without approval", [.approval: .informative]) {
        $0.approval = ApprovalNeed(required: 1, given: 0)
        $0.purpose = .freezing
    },
    GateCase("going back needs no approval", [.approval: .informative]) {
        $0.approval = ApprovalNeed(required: 1, given: 0)
        $0.draft = nil
        $0.purpose = .goingBack
    },
    GateCase("a named person bypasses approvals", [.approval: .overridden]) {
        $0.approval = ApprovalNeed(required: 1, given: 0, isBypasser: true)
        $0.bypassesApproval = true
    },
    GateCase("a person who is not named does not", [.approval: .failed]) {
        $0.approval = ApprovalNeed(required: 1, given: 0)
        $0.bypassesApproval = true
    },
    GateCase("a named person who does not ask for it does not", [.approval: .failed]) {
        $0.approval = ApprovalNeed(required: 1, given: 0, isBypasser: true)
    },
    GateCase("an override of the similarity bypasses no approval", [.approval: .failed]) {
        $0.approval = ApprovalNeed(required: 1, given: 0, isBypasser: true)
        $0.overridesSimilarity = true
    },
    GateCase("going back needs the claim all the same", [.verified: .failed]) {
        $0.isVerified = false
        $0.purpose = .goingBack
    },
]

extension GateCase {
    fileprivate init(_ name: String, _ change: (inout Gate.Candidate) -> Void) { self.init(name, [:], change) }
}

@Suite("Gate")
struct GateTests {
    @Test("every check reports its fault", arguments: cases)
    fileprivate func table(_ given: GateCase) {
        let report = Gate().judge(given.candidate)
        #expect(report.checks.map(\.name) == GateReport.Check.Name.allCases)
        for check in report.checks {
            #expect(check.outcome == given.expected[check.name] ?? .passed, "\(check)")
            #expect(check.detail.hasSuffix(".") || check.detail.contains(": "), "\(check)")
        }
        #expect(report.passed == !given.expected.values.contains(.failed))
        #expect(report.size == given.candidate.file.count)
        #expect(Gate().judge(given.candidate) == report, "the same candidate gets the same report")
    }

    @Test("the report of a file that needs no approval leaves the check out")
    func withoutPolicy() {
        let report = Gate().judge(GateCase("no policy") { $0.approval = nil }.candidate)
        #expect(report.passed && !report.checks.contains { $0.name == .approval })
    }

    @Test("a draft's report names the rules that differ on iOS 9 to 12, without failing")
    func losses() throws {
        var changed = try #require(draft(of: good))
        changed.entries[0].rules?[0].query = .whole("x")
        changed.compatibility = .ios9
        let file = changed.association().bytes
        let report = Gate().judge(
            GateCase("a loss") {
                $0.draft = changed
                $0.file = file
            }.candidate)
        #expect(report.passed)
        #expect(report.findings.filter { $0.code == .lostOnOldSystems }.count == 1)
    }

    @Test("the report's JSON has the members of the API's contract")
    func json() {
        let report = Gate().judge(
            GateCase("an app gone") { $0.live = file(apps: [other]) }.candidate)
        #expect(report.json["passed"]?.bool == false)
        #expect(report.json["checks"]?.array?.count == GateReport.Check.Name.allCases.count)
        #expect(report.json["checks"]?[6]?["name"]?.string == "similarity")
        #expect(report.json["checks"]?[6]?["outcome"]?.string == "failed")
        #expect(report.json["checks"]?[6]?["detail"]?.string?.contains(other) == true)
        #expect(report.json["size"]?.int == good.count)
        #expect(report.json["sha256"]?.string?.utf8.count == 64)
        #expect(report.json["findings"]?.array != nil)
    }

    @Test("a report counts the tests and names the failed ones: all for the requester, a hundred for storage")
    func failures() {
        let report = Gate().judge(
            GateCase("many fail") {
                $0.tests = [result("/a", .opens)] + (0..<150).map { result("/\($0)", .excluded) }
            }.candidate)
        for (json, named) in [(report.json, 150), (report.keptJSON, 100)] {
            let tests = json["tests"]
            #expect([tests?["total"]?.int, tests?["passed"]?.int, tests?["failed"]?.int] == [151, 1, 150])
            #expect(tests?["failures"]?.array?.count == named)
            let first = tests?["failures"]?[0]
            #expect(first?["url"] == "/0")
            #expect(first?["expected"] == ["outcome": "excluded"])
            #expect(first?["actual"] == ["outcome": "none"])
            #expect(first?["passed"] == false)
            #expect(first?["id"]?.string?.utf8.count == 36)
        }
    }
}

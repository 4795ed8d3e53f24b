import AASA
import ArgumentParser
import HTTPAPI
import StrictJSON

/// `waymark test`.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs saved tests against an association file.",
        discussion: """
            A suite is a file that the API exports: JSON, or CSV with the columns url, expect (opens, excluded or none), \
            app, note and os; the last three are optional.

            Exit codes: 0 all tests pass; 1 a test fails; 2 wrong usage; 3 the file or the suite cannot be read, or the \
            suite has no tests.

              waymark test apple-app-site-association tests.csv
              waymark test --domain www.example.com --json FILE tests.json
            """)

    @Argument(help: "The association file; - reads standard input.") var file: String
    @Argument(help: "The suite of tests, CSV or JSON; - reads standard input.") var suite: String
    @Option(help: "The system for tests without one: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later).")
    var os = SystemVersion.latest
    @Option(help: "The domain of the app's entitlement, after applinks:, such as *.example.com.") var domain: String?
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if file == "-", suite == "-" { throw ValidationError("Only one of the two files can be standard input.") }
    }

    func run() throws {
        let association: Association
        do {
            association = try InputFile.association(file).association
        } catch let error as UnreadableAssociation {
            throw Refusal(error.complaint)
        }
        let tests = try readSuite().tests
        // An empty suite is probably a mistake, and must not look like a success.
        if tests.isEmpty { throw Refusal("\(suite) has no tests") }
        let run = LinkTestRun(tests, against: association, on: domain.map { TypedURL.inASCII(entitlement: $0) }, os: os)
        if json { try Console.say(answer(run)) } else { try Console.say(text(run)) }
        if run.failed > 0 { throw Ending.notRight }
    }

    private func readSuite() throws -> LinkTestSuite {
        do {
            return try LinkTestSuite(parsing: try InputFile.read(suite), inASCII: TypedURL.inASCII(_:))
        } catch let error as InvalidLinkTestSuite {
            throw Refusal(
                error.faults.map { TerminalText.shown("\(suite):\($0.line): \($0.fault)") }.joined(separator: "\n"))
        }
    }

    private func answer(_ run: LinkTestRun) -> JSONValue {
        [
            "total": .int(run.results.count), "passed": .int(run.passed), "failed": .int(run.failed),
            "results": .array(run.results.map(\.json)),
        ]
    }

    /// A line for each test with its URL and outcome. Failed tests also show the expected outcome.
    private func text(_ run: LinkTestRun) -> [TerminalText] {
        let width = min(run.results.map(\.test.url.unicodeScalars.count).max() ?? 0, 60)
        let lines = run.results.map { result in
            let url = result.test.url
            let gap = String(repeating: " ", count: max(0, width - url.unicodeScalars.count))
            return "\(result.passed ? "pass" : "FAIL")  \(url)\(gap)  \(Self.words(result))"
        }
        let count = run.results.count
        let summary = "\(count) test\(count == 1 ? "" : "s"): \(run.passed) passed, \(run.failed) failed"
        return (lines + [summary]).map { TerminalText($0) }
    }

    private static func words(_ result: LinkTestResult) -> String {
        let actual = result.actual.map { words($0.outcome, $0.app) } ?? "not run"
        let rule = result.decidedBy.map { " by \($0)" } ?? ""
        let reason = result.reason.map { " (\($0))" } ?? ""
        guard !result.passed else { return actual + rule }
        let expected = words(result.test.expected.outcome, result.test.expected.app?.description)
        return "expected: \(expected); is: \(actual)\(rule)\(reason)"
    }

    private static func words(_ outcome: Evaluation.Outcome, _ app: String?) -> String {
        app.map { "\(outcome.rawValue) \($0)" } ?? outcome.rawValue
    }
}

public import AASA
public import Storage
public import StrictJSON

/// The result of a saved test.
public struct SavedTestResult: Hashable, Sendable {
    /// The test's ID.
    public let id: ID<SavedTest>
    /// The result of running the test.
    public let result: LinkTestResult

    /// The result as JSON, with the test's ID.
    public var json: JSONValue {
        var object = JSONObject([("id", .string(id.description))])
        for member in result.json.object?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}

extension SavedTest {
    /// The time limit for a run. A thousand tests take a few milliseconds. If a malicious file makes tests slow, the
    /// tests that remain after the time limit fail.
    public static let runBudget = Duration.seconds(2)

    /// Runs tests against an association, within ``runBudget``.
    ///
    /// - Parameters:
    ///   - tests: The tests of one domain.
    ///   - association: The file, or `nil` if it cannot be parsed. Then no test is evaluated.
    ///   - host: The domain's host.
    ///   - os: The system for tests that do not specify one.
    /// - Returns: A result for each test, in order.
    public static func run(
        _ tests: [SavedTest], against association: Association?, on host: Host, os: SystemVersion = .latest
    ) -> [SavedTestResult] {
        let deadline = ContinuousClock.now + runBudget
        let run = LinkTestRun(
            tests.map(\.test), against: association, on: host.description, os: os,
            while: { ContinuousClock.now < deadline })
        return zip(tests, run.results).map { SavedTestResult(id: $0.id, result: $1) }
    }
}

extension TenantTransaction {
    /// Runs a domain's tests against the bytes of a file.
    func runTests(of host: Host, against file: [UInt8]) throws -> [SavedTestResult] {
        let tests = try allTests(host)
        guard !tests.isEmpty else { return [] }
        return SavedTest.run(tests, against: try? Association(parsing: file), on: host)
    }
}

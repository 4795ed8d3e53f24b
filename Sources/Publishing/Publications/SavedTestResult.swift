public import AASA
public import Storage
public import StrictJSON

/// What came of a saved test.
public struct SavedTestResult: Hashable, Sendable {
    /// The test's ID.
    public let id: ID<SavedTest>
    /// What came of it.
    public let result: LinkTestResult

    /// The result for programs, with the test's ID.
    public var json: JSONValue {
        var object = JSONObject([("id", .string(id.description))])
        for member in result.json.object?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}

extension SavedTest {
    /// How long a run may take. A thousand tests take a few milliseconds; a file that is made to be slow takes no more
    /// than this, and the tests that it leaves no time for have not passed.
    public static let runBudget = Duration.seconds(2)

    /// Runs tests against an association, within ``runBudget``.
    ///
    /// - Parameters:
    ///   - tests: The tests of one domain.
    ///   - association: What they are asked of; nil where the file cannot be read, and then none is run.
    ///   - host: The domain's host.
    ///   - os: The system for the tests that name none.
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

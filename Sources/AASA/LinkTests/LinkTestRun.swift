public import StrictJSON

/// The result of a test.
public struct LinkTestResult: Hashable, Sendable {
    /// The actual outcome of the test's URL.
    public struct Actual: Hashable, Sendable {
        /// The outcome.
        public let outcome: Evaluation.Outcome
        /// The app that opens the URL, or `nil` if no app does.
        public let app: String?

        /// `{"outcome": "opens", "app": "…"}`, `{"outcome": "excluded"}` or `{"outcome": "none"}`.
        public var json: JSONValue {
            var object = JSONObject([("outcome", .string(outcome.rawValue))])
            if let app { object["app"] = .string(app) }
            return .object(object)
        }
    }

    /// The test.
    public let test: LinkTest
    /// The system that the test was run for.
    public let os: SystemVersion
    /// The actual outcome, or `nil` if the test was not run. A test that was not run has failed.
    public let actual: Actual?
    /// The rule that decided, as a pointer into the file, or `nil` if no rule did.
    public let decidedBy: JSONPointer?
    /// The reason why the URL cannot open an app, or why the test was not run. Otherwise `nil`.
    public let reason: String?

    /// Whether the actual outcome is the expected one.
    public var passed: Bool {
        guard let actual else { return false }
        return actual.outcome == test.expected.outcome && actual.app == test.expected.app?.description
    }

    /// The result as JSON: `url`, `expected`, `os`, `actual`, `passed`, `decidedBy`, `reason`.
    public var json: JSONValue {
        [
            "url": .string(test.url), "expected": test.expected.json, "os": .string(os.rawValue),
            "actual": actual?.json ?? .null, "passed": .bool(passed),
            "decidedBy": decidedBy.map { .string($0.description) } ?? .null,
            "reason": reason.map(JSONValue.string) ?? .null,
        ]
    }
}

/// The results of all tests for one association.
public struct LinkTestRun: Hashable, Sendable {
    /// A result for each test, in order.
    public let results: [LinkTestResult]

    /// The number of tests that passed.
    public var passed: Int { results.count { $0.passed } }
    /// The number of tests that failed.
    public var failed: Int { results.count - passed }

    /// Runs tests. The association is compiled once for each required system.
    ///
    /// - Parameters:
    ///   - tests: The tests.
    ///   - association: The file, or `nil` if it cannot be read. If `nil`, no test is run.
    ///   - domain: The required host of URLs, or the text after `applinks:` in an entitlement. If `nil`, any host is
    ///     accepted.
    ///   - os: The system for tests without a system.
    ///   - mayContinue: Called before each test. If it returns false, this test and all later ones are not run.
    public init(
        _ tests: [LinkTest], against association: Association?, on domain: String?, os: SystemVersion = .latest,
        while mayContinue: () -> Bool = { true }
    ) {
        var compiled: [SystemVersion: CompiledAssociation] = [:]
        var decider = Decider()
        results = tests.map { test in
            let system = test.os ?? os
            guard let association else {
                return LinkTestResult(test, system, notRunBecause: "The file cannot be read.")
            }
            guard mayContinue() else {
                return LinkTestResult(
                    test, system, notRunBecause: "Earlier tests have used up the time limit of the run.")
            }
            let subject = compiled[system] ?? CompiledAssociation(association, os: system)
            compiled[system] = subject
            return LinkTestResult(test, system, subject.evaluate(test.url, entitlementDomain: domain, by: &decider))
        }
    }
}

extension LinkTestResult {
    fileprivate init(_ test: LinkTest, _ os: SystemVersion, notRunBecause reason: String) {
        self.init(test: test, os: os, actual: nil, decidedBy: nil, reason: reason)
    }

    fileprivate init(_ test: LinkTest, _ os: SystemVersion, _ evaluation: Evaluation) {
        // "Per app, components (or paths) top to bottom, first one that matches decides" [DOC]/[OBS]; for all apps
        // together, the first verdict that is the outcome.
        let decision = evaluation.outcome == .none ? nil : evaluation.apps.first { $0.outcome == evaluation.outcome }
        self.init(
            test: test, os: os, actual: Actual(outcome: evaluation.outcome, app: evaluation.app),
            decidedBy: decision?.decidedBy, reason: evaluation.ineligibility?.detail)
    }
}

public import StrictJSON

/// What came of a test.
public struct LinkTestResult: Hashable, Sendable {
    /// What becomes of the test's URL.
    public struct Actual: Hashable, Sendable {
        /// The outcome.
        public let outcome: Evaluation.Outcome
        /// The app that opens it; nil where none does.
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
    /// The system that was asked about.
    public let os: SystemVersion
    /// What becomes of the URL; nil where the test was not run, and then it has not passed.
    public let actual: Actual?
    /// The rule that decided, a pointer into the file; nil where none did.
    public let decidedBy: JSONPointer?
    /// Why the URL was not looked at, or the test not run; nil where all went its way.
    public let reason: String?

    /// The URL came out as expected.
    public var passed: Bool {
        guard let actual else { return false }
        return actual.outcome == test.expected.outcome && actual.app == test.expected.app?.description
    }

    /// The result for programs: `url`, `expected`, `os`, `actual`, `passed`, `decidedBy`, `reason`.
    public var json: JSONValue {
        [
            "url": .string(test.url), "expected": test.expected.json, "os": .string(os.rawValue),
            "actual": actual?.json ?? .null, "passed": .bool(passed),
            "decidedBy": decidedBy.map { .string($0.description) } ?? .null,
            "reason": reason.map(JSONValue.string) ?? .null,
        ]
    }
}

/// Tests run against one association.
public struct LinkTestRun: Hashable, Sendable {
    /// A result for each test, in order.
    public let results: [LinkTestResult]

    /// How many tests passed.
    public var passed: Int { results.count { $0.passed } }
    /// How many did not.
    public var failed: Int { results.count - passed }

    /// Runs tests; the association is compiled once for each system that they name.
    ///
    /// - Parameters:
    ///   - tests: The tests.
    ///   - association: What they are asked of; nil where the file cannot be read, and then none is run.
    ///   - domain: The host that URLs have to be on, or what an entitlement says after `applinks:`; nil takes any.
    ///   - os: The system for the tests that name none.
    ///   - mayGoOn: Asked before each test; when it says no, this one and all after it are not run.
    public init(
        _ tests: [LinkTest], against association: Association?, on domain: String?, os: SystemVersion = .latest,
        while mayGoOn: () -> Bool = { true }
    ) {
        var compiled: [SystemVersion: CompiledAssociation] = [:]
        var decider = Decider()
        results = tests.map { test in
            let system = test.os ?? os
            guard let association else {
                return LinkTestResult(test, system, notRunBecause: "The file cannot be read.")
            }
            guard mayGoOn() else {
                return LinkTestResult(
                    test, system, notRunBecause: "The tests before it have taken all the time that a run may have.")
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

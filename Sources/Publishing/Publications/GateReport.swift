public import AASA
import Hex
public import StrictJSON

/// The gate's report on a file.
public struct GateReport: Hashable, Sendable {
    /// A check of the gate.
    public struct Check: Hashable, Sendable {
        /// The name of a check. The cases are in the order of the checks.
        public enum Name: String, CaseIterable, Sendable {
            /// The draft generates a file.
            case generate
            /// The file parses to the same association.
            case parse
            /// Lint finds no errors.
            case lint
            /// Every saved test of the domain passes.
            case tests
            /// The file is at most 131,072 bytes.
            case size
            /// The domain is verified.
            case verified
            /// The file does not differ suspiciously from the live one.
            case similarity
            /// The file has the approvals that the organization's policies require. Left out if no policy applies.
            case approval
        }

        /// The outcome of a check.
        public enum Outcome: String, Sendable {
            /// The check passed.
            case passed
            /// The check failed. Nothing is saved or published.
            case failed
            /// The check failed, but the requester has overridden it with a reason.
            case overridden
            /// The check failed, but does not block this purpose.
            case informative
        }

        /// The name of the check.
        public let name: Name
        /// The outcome of the check.
        public let outcome: Outcome
        /// The details as text.
        public let detail: String
    }

    /// The checks, in order.
    public let checks: [Check]
    /// The findings of lint.
    public let findings: [Finding]
    /// The results of the domain's tests, in order.
    public let tests: [SavedTestResult]
    /// The file's size in bytes.
    public let size: Int
    /// The file's SHA-256, 32 bytes.
    public let sha256: [UInt8]

    /// True if no check failed.
    public var passed: Bool { checks.allSatisfy { $0.outcome != .failed } }

    /// True if it passed only because the requester bypasses missing approvals.
    public var bypassesApproval: Bool { checks.contains { $0.name == .approval && $0.outcome == .overridden } }

    /// The maximum number of failed tests that are stored with a version and a publication. The stored count includes
    /// all failed tests.
    public static let failuresKept = 100

    /// The report for the API, with all failed tests.
    public var json: JSONValue { json(failures: LinkTestSuite.limit) }

    /// The report for the database, with the first ``failuresKept`` failed tests.
    public var keptJSON: JSONValue { json(failures: Self.failuresKept) }

    private func json(failures limit: Int) -> JSONValue {
        let failures = tests.filter { !$0.result.passed }
        return [
            "passed": .bool(passed),
            "checks": .array(
                checks.map {
                    [
                        "name": .string($0.name.rawValue), "outcome": .string($0.outcome.rawValue),
                        "detail": .string($0.detail),
                    ]
                }),
            "findings": .array(findings.map(\.json)),
            "tests": [
                "total": .int(tests.count), "passed": .int(tests.count - failures.count),
                "failed": .int(failures.count), "failures": .array(failures.prefix(limit).map(\.json)),
            ],
            "size": .int(size),
            "sha256": .string(Hexadecimal.encode(sha256)),
        ]
    }
}

/// The error if a file fails the gate. Nothing was saved, and no version number was assigned.
public struct GateRefusal: Error, Hashable, Sendable {
    /// The gate's report, with the failed checks.
    public let report: GateReport
}

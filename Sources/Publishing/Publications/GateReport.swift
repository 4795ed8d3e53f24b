public import AASA
import Hex
public import StrictJSON

/// What the gate found about a file that is to be frozen or published.
public struct GateReport: Hashable, Sendable {
    /// One thing that the gate looks at.
    public struct Check: Hashable, Sendable {
        /// What is looked at, in the order of looking.
        public enum Name: String, CaseIterable, Sendable {
            /// The draft gives a file.
            case generate
            /// The file reads back as the same association.
            case parse
            /// Lint finds no errors.
            case lint
            /// Every saved test of the domain passes.
            case tests
            /// The file is at most 131,072 bytes.
            case size
            /// The organization has proven control of the host.
            case verified
            /// The file is not suspiciously different from what is live.
            case similarity
        }

        /// How it came out.
        public enum Outcome: String, Sendable {
            /// As it should be.
            case passed
            /// Not as it should be: nothing is frozen or published.
            case failed
            /// Not as it should be, and allowed by the requester for a reason.
            case overridden
            /// Not as it should be, and no obstacle to what was asked for.
            case informative
        }

        /// What was looked at.
        public let name: Name
        /// How it came out.
        public let outcome: Outcome
        /// In words for people.
        public let detail: String
    }

    /// What was looked at, in order.
    public let checks: [Check]
    /// What lint says.
    public let findings: [Finding]
    /// What came of the domain's tests, in their order.
    public let tests: [SavedTestResult]
    /// The file's size in bytes.
    public let size: Int
    /// The file's SHA-256, 32 bytes.
    public let sha256: [UInt8]

    /// No check failed.
    public var passed: Bool { checks.allSatisfy { $0.outcome != .failed } }

    /// So many failed tests are kept with a version and a publication; all are counted.
    public static let failuresKept = 100

    /// As the API shows it to whoever was refused: every test that failed is in it.
    public var json: JSONValue { json(failures: LinkTestSuite.limit) }

    /// As the database keeps it: the first ``failuresKept`` tests that failed are in it.
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

/// The gate has refused: nothing was written, no number was used.
public struct GateRefusal: Error, Hashable, Sendable {
    /// Why.
    public let report: GateReport
}

public import StrictJSON

/// A test: a URL and its expected outcome on a domain.
public struct LinkTest: Hashable, Sendable {
    /// The maximum number of bytes of a test's URL.
    public static let urlLimit = 2_048
    /// The maximum number of characters of a test's note.
    public static let noteLimit = 1_000

    /// The expected outcome of a URL.
    public enum Expectation: Hashable, Sendable {
        /// This app opens it.
        case opens(AppID)
        /// A rule excludes it.
        case excluded
        /// No rule matches it.
        case none

        /// The outcome, without the app.
        public var outcome: Evaluation.Outcome {
            switch self {
            case .opens: .opens
            case .excluded: .excluded
            case .none: .none
            }
        }

        /// The app that should open the URL, or `nil` if no app should.
        public var app: AppID? {
            if case .opens(let app) = self { app } else { nil }
        }
    }

    /// The URL: absolute, or a path with query and fragment on the file's own host.
    public var url: String
    /// The URL's expected outcome.
    public var expected: Expectation
    /// The system for the test, or `nil` for the system of the run.
    public var os: SystemVersion?
    /// A note for people. It may be empty.
    public var note: String

    /// Creates a test without checks. ``init(json:on:)`` and ``LinkTestSuite`` check tests from requests and files.
    public init(url: String, expected: Expectation, os: SystemVersion? = nil, note: String = "") {
        self.url = url
        self.expected = expected
        self.os = os
        self.note = note
    }
}

/// The reason why a test is not valid.
public struct InvalidLinkTest: JSONFaultReason, Hashable, Sendable {
    /// A stable error code for programs: `invalid_url`, `other_host`, `too_long`.
    public let code: String
    /// The error message: a predicate, such as "is not on www.example.com".
    public let detail: String
}

extension LinkTest {
    /// Checks that a test's URL can be a universal link. Other URLs would give the same result for every file.
    ///
    /// - Parameters:
    ///   - url: The URL as given.
    ///   - host: The required host of an absolute URL, or `nil` for any host.
    static func checkURL(_ url: String, on host: Host?) throws(InvalidLinkTest) {
        guard url.utf8.count <= urlLimit else {
            throw InvalidLinkTest(code: "too_long", detail: "has more than \(urlLimit) bytes")
        }
        guard !url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw InvalidLinkTest(code: "invalid_url", detail: "contains a control character")
        }
        let evaluation = withoutRules.evaluate(url, entitlementDomain: host?.description)
        guard let reason = evaluation.ineligibility else { return }
        if reason.code == .otherHost, let host {
            throw InvalidLinkTest(code: "other_host", detail: "is not on \(host)")
        }
        throw InvalidLinkTest(code: "invalid_url", detail: "cannot be a universal link. \(reason.detail)")
    }

    private static let withoutRules = CompiledAssociation(Association(root: [:]))
}

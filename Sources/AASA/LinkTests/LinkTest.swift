public import StrictJSON

/// A test: a URL, and what is expected to become of it on a domain.
public struct LinkTest: Hashable, Sendable {
    /// Bytes of a test's URL at most.
    public static let urlLimit = 2_048
    /// Characters of a test's note at most.
    public static let noteLimit = 1_000

    /// What is expected of a URL.
    public enum Expectation: Hashable, Sendable {
        /// This app opens it.
        case opens(AppID)
        /// A rule keeps it on the web.
        case excluded
        /// No rule speaks of it.
        case none

        /// The outcome, without the app.
        public var outcome: Evaluation.Outcome {
            switch self {
            case .opens: .opens
            case .excluded: .excluded
            case .none: .none
            }
        }

        /// The app that is to open it; nil where none is.
        public var app: AppID? {
            if case .opens(let app) = self { app } else { nil }
        }
    }

    /// The URL: absolute, or a path with query and fragment, which stands for that path on the file's own host.
    public var url: String
    /// What is expected of it.
    public var expected: Expectation
    /// The system that is meant; nil for the one that a run asks for.
    public var os: SystemVersion?
    /// A note for people; may be empty.
    public var note: String

    /// A test. What a request or a file says is read by ``init(json:on:)`` and ``LinkTestSuite``, which check it.
    public init(url: String, expected: Expectation, os: SystemVersion? = nil, note: String = "") {
        self.url = url
        self.expected = expected
        self.os = os
        self.note = note
    }
}

/// Why a test cannot be as it is.
public struct InvalidLinkTest: JSONFaultReason, Hashable, Sendable {
    /// What is wrong; stable, for programs: `invalid_url`, `other_host`, `too_long`.
    public let code: String
    /// What is wrong, in words.
    public let detail: String
}

extension LinkTest {
    /// Checks a test's URL: one that would never be looked at, whatever a file says, tests nothing.
    ///
    /// - Parameters:
    ///   - url: The URL as given.
    ///   - host: The host that it has to be on, unless it is relative; nil allows any.
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

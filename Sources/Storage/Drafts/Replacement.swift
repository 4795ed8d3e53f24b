public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A replacement of one app by another in many drafts, and in the tests of their domains. It publishes nothing.
public struct Replacement: Hashable, Sendable {
    /// The state of a replacement.
    public enum State: String, CaseIterable, Sendable {
        /// Drafts are being changed.
        case running
        /// All drafts are changed.
        case done
        /// It failed at every attempt. Changes made so far stay.
        case failed
    }

    /// A domain whose draft now fails the gate.
    public struct Refusal: Hashable, Sendable {
        /// The domain.
        public let host: Host
        /// The failed checks: an array of `{check, detail}`.
        public let failures: JSONValue
    }

    /// The maximum number of domains in one replacement.
    public static let mostDomains = 200_000
    /// How many refusals are returned. All are counted.
    public static let shownRefusals = 20

    /// The replacement's ID.
    public let id: ID<Replacement>
    /// The app that is replaced.
    public let app: AppID
    /// The new app.
    public let replacement: AppID
    /// The state.
    public let state: State
    /// The requester's message; may be empty.
    public let message: String
    /// The requester.
    public let requester: Author
    /// Why it failed. While it is running: why the last attempt failed.
    public let cause: String?
    /// When it was requested.
    public let createdAt: Date
    /// When it ended.
    public let endedAt: Date?
    /// The number of domains.
    public let total: Int
    /// The number of domains that wait.
    public let waiting: Int
    /// The number of changed drafts. The others no longer name the app.
    public let changed: Int
    /// The number of changed drafts that fail the gate.
    public let refused: Int
    /// The number of saved tests that now expect the new app.
    public let tests: Int

    init(row: Row) throws {
        id = try row.id("id")
        app = try row.value("app_id") { try AppID($0) }
        replacement = try row.value("replacement_app_id") { try AppID($0) }
        state = try row.value("state", State.init(rawValue:))
        message = try row.decode("message", as: String.self)
        requester = try row.author(kind: "requester_kind", name: "requester_name")
        cause = try row.decode("cause", as: String?.self)
        createdAt = try row.decode("created_at", as: Date.self)
        endedAt = try row.decode("ended_at", as: Date?.self)
        total = try row.decode("total", as: Int.self)
        waiting = try row.decode("waiting", as: Int.self)
        changed = try row.decode("changed", as: Int.self)
        refused = try row.decode("refused", as: Int.self)
        tests = try row.decode("tests", as: Int.self)
    }

    static let columns: SQL = """
        replacements.id, replacements.app_id, replacements.replacement_app_id, replacements.state, replacements.message,
        replacements.requester_kind, replacements.requester_name, replacements.cause, replacements.created_at,
        replacements.ended_at, counted.total, counted.waiting, counted.changed, counted.refused, counted.tests
        """

    /// Joins the tables that ``columns`` counts.
    static let counted: SQL = """
        cross join lateral (
          select count(*) as total, count(*) filter (where replacement_domains.state = 'waiting') as waiting,
            count(*) filter (where replacement_domains.state = 'changed') as changed,
            count(*) filter (where replacement_domains.refused) as refused,
            coalesce(sum(replacement_domains.tests), 0)::bigint as tests
          from replacement_domains
          where replacement_domains.organization_id = replacements.organization_id
            and replacement_domains.replacement_id = replacements.id
        ) as counted
        """
}

/// The result for one domain of a replacement.
public struct ReplacedDraft: Sendable {
    /// The domain.
    public let host: Host
    /// The revision that was read. If the draft has another one when it is written, nothing is written.
    public let seenRevision: Int
    /// The draft with the new app; `nil` if it does not name the old one.
    public let draft: Draft?
    /// The file that the draft generates.
    public let file: [UInt8]
    /// The failed checks of the gate, each as `{check, detail}`.
    public let failures: [JSONValue]

    /// A result.
    public init(host: Host, seenRevision: Int, draft: Draft?, file: [UInt8], failures: [JSONValue]) {
        self.host = host
        self.seenRevision = seenRevision
        self.draft = draft
        self.file = file
        self.failures = failures
    }
}

/// A replacement of an app in a domain's draft.
public struct ReplacedApp: Hashable, Sendable {
    /// The app that was replaced.
    public let app: AppID
    /// The new app.
    public let replacement: AppID
    /// The revision of the draft after the replacement.
    public let revision: Int
    /// When the replacement was requested.
    public let at: Date

    /// A replaced app.
    public init(_ app: AppID, by replacement: AppID, revision: Int, at: Date) {
        self.app = app
        self.replacement = replacement
        self.revision = revision
        self.at = at
    }
}

extension DomainCandidate {
    /// The domain after a replacement, with its draft and tests, and the number of changed places in the draft.
    public func replaced(by replacement: Replacement) -> (candidate: DomainCandidate, places: Int) {
        let (old, new) = (replacement.app, replacement.replacement)
        var candidate = self
        let places = candidate.draft.draft.replaceApp(old.description, with: new.description)
        candidate.replacedApps.append(
            ReplacedApp(old, by: new, revision: draft.revision + 1, at: replacement.createdAt))
        for index in candidate.tests.indices where candidate.tests[index].test.expected == .opens(old) {
            candidate.tests[index].test.expected = .opens(new)
        }
        return (candidate, places)
    }
}

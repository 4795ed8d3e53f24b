public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A replacement of one app with another in many drafts and in the tests of their domains. It publishes nothing.
public struct Replacement: Hashable, Sendable {
    /// The state of a replacement.
    public enum State: String, CaseIterable, Sendable {
        /// Drafts are being changed.
        case running
        /// All drafts are changed.
        case done
        /// It failed on every attempt. Drafts that were already changed stay changed.
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
    public static let maximumDomains = 200_000
    /// The maximum number of refusals in a response. The count includes all of them.
    public static let shownRefusals = 20

    /// The replacement's ID.
    public let id: ID<Replacement>
    /// The old app.
    public let app: AppID
    /// The new app.
    public let replacement: AppID
    /// The state of the replacement.
    public let state: State
    /// The requester's message. It may be empty.
    public let message: String
    /// The author who requested the replacement.
    public let requester: Author
    /// The cause of the failure. While the replacement is running, the cause of the last failed attempt.
    public let cause: String?
    /// The time of the request.
    public let createdAt: Date
    /// The time when it was done or failed, or `nil` while it is running.
    public let endedAt: Date?
    /// The number of domains.
    public let total: Int
    /// The number of waiting domains.
    public let waiting: Int
    /// The number of changed drafts. The other drafts that were processed no longer contained the app.
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
        replacements.ended_at, counts.total, counts.waiting, counts.changed, counts.refused, counts.tests
        """

    /// A join that adds the counts of ``columns``. If the replacement has ended, its row has the counts.
    static let counted: SQL = """
        cross join lateral (
          select * from json_to_record(coalesce(replacements.counts, (\(fragment: counts))))
            as counts (total bigint, waiting bigint, changed bigint, refused bigint, tests bigint)
        ) as counts
        """

    /// A query for the numbers of domains and tests of a replacement, as JSON.
    static let counts: SQL = """
        select json_build_object(
          'total', count(*), 'waiting', count(*) filter (where replacement_domains.state = 'waiting'),
          'changed', count(*) filter (where replacement_domains.state = 'changed'),
          'refused', count(*) filter (where replacement_domains.refused),
          'tests', coalesce(sum(replacement_domains.tests), 0))
        from replacement_domains
        where replacement_domains.organization_id = replacements.organization_id
          and replacement_domains.replacement_id = replacements.id
        """
}

/// The result for one domain of a replacement.
public struct ReplacedDraft: Sendable {
    /// The domain.
    public let host: Host
    /// The revision of the draft when it was read. If the draft has changed since, the result is not saved.
    public let seenRevision: Int
    /// The draft with the new app, or `nil` if it does not contain the old one.
    public let draft: Draft?
    /// The file that the draft generates.
    public let file: [UInt8]
    /// The failed checks of the gate, each as `{check, detail}`.
    public let failures: [JSONValue]

    /// Creates a result.
    public init(host: Host, seenRevision: Int, draft: Draft?, file: [UInt8], failures: [JSONValue]) {
        self.host = host
        self.seenRevision = seenRevision
        self.draft = draft
        self.file = file
        self.failures = failures
    }
}

/// A replaced app in a domain's draft.
public struct ReplacedApp: Hashable, Sendable {
    /// The old app.
    public let app: AppID
    /// The new app.
    public let replacement: AppID
    /// The revision of the draft after the replacement.
    public let revision: Int
    /// The time of the request.
    public let at: Date

    /// Creates a replaced app.
    public init(_ app: AppID, by replacement: AppID, revision: Int, at: Date) {
        self.app = app
        self.replacement = replacement
        self.revision = revision
        self.at = at
    }
}

extension DomainCandidate {
    /// Returns the domain with the replacement applied to its draft and tests, and the number of changed places in the
    /// draft.
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

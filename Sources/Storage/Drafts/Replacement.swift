public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// The act of putting another app in the place of one, in many drafts and the tests of their domains. It publishes
/// nothing.
public struct Replacement: Hashable, Sendable {
    /// Where a replacement stands.
    public enum State: String, CaseIterable, Sendable {
        /// Drafts are being changed.
        case running
        /// All are.
        case done
        /// It could not go on, however often it was tried; what has been changed stays.
        case failed
    }

    /// A domain whose draft the gate would refuse now.
    public struct Refusal: Hashable, Sendable {
        /// The domain.
        public let host: Host
        /// What fails: an array of `{check, detail}`.
        public let failures: JSONValue
    }

    /// The most domains that one replacement may have.
    public static let mostDomains = 200_000
    /// So many refusals are shown; all are counted.
    public static let shownRefusals = 20

    /// The replacement's ID.
    public let id: ID<Replacement>
    /// The app that goes.
    public let app: AppID
    /// The app that comes.
    public let replacement: AppID
    /// Where it stands.
    public let state: State
    /// What the requester said about it; may be empty.
    public let message: String
    /// Who asked for it.
    public let requester: Author
    /// Why it failed; while it is running, why the last attempt did.
    public let cause: String?
    /// When it was asked for.
    public let createdAt: Date
    /// When it ended.
    public let endedAt: Date?
    /// How many domains it has.
    public let total: Int
    /// How many of them wait.
    public let waiting: Int
    /// How many drafts were changed; the others do not name the app any more.
    public let changed: Int
    /// How many of the changed drafts the gate would refuse.
    public let refused: Int
    /// How many saved tests expect the new app now.
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

    /// Joins the counts of ``columns``: of a replacement that has ended its row keeps them.
    static let counted: SQL = """
        cross join lateral (
          select * from json_to_record(coalesce(replacements.counts, (\(fragment: counts))))
            as counts (total bigint, waiting bigint, changed bigint, refused bigint, tests bigint)
        ) as counts
        """

    /// How many domains and tests of a replacement are in each state, as JSON.
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

/// What becomes of one domain of a replacement.
public struct ReplacedDraft: Sendable {
    /// The domain.
    public let host: Host
    /// The revision that was read; where the draft has another one by now, nothing is written.
    public let seenRevision: Int
    /// The draft with the new app; `nil` where it does not name the old one.
    public let draft: Draft?
    /// The file that it gives.
    public let file: [UInt8]
    /// What the gate would refuse it for: `{check, detail}` each.
    public let failures: [JSONValue]

    /// What becomes of a domain.
    public init(host: Host, seenRevision: Int, draft: Draft?, file: [UInt8], failures: [JSONValue]) {
        self.host = host
        self.seenRevision = seenRevision
        self.draft = draft
        self.file = file
        self.failures = failures
    }
}

/// An app that a replacement has put in the place of another in a domain's draft.
public struct ReplacedApp: Hashable, Sendable {
    /// The app that went.
    public let app: AppID
    /// The app that came.
    public let replacement: AppID
    /// The revision that the draft has had since then.
    public let revision: Int
    /// When the replacement was asked for.
    public let at: Date

    /// An app in the place of another.
    public init(_ app: AppID, by replacement: AppID, revision: Int, at: Date) {
        self.app = app
        self.replacement = replacement
        self.revision = revision
        self.at = at
    }
}

extension DomainCandidate {
    /// The same domain as a replacement makes it, draft and tests; tells how many places of the draft change.
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

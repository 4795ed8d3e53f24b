public import AASA
import FoundationEssentials
import Postgres

/// A draft that must be checked, because its findings or its tests may have other results than at the last check.
public struct UncheckedDraft: Hashable, Sendable {
    /// The host.
    public let host: Host
    let revision: Int
    let sha256: [UInt8]
    let changes: Int
}

/// The data for the check of a draft.
public struct CheckableDraft: Sendable {
    /// The draft.
    public let contents: DraftContents
    /// The draft's apps that are registered.
    public let registered: Set<AppID>
    /// The domain's tests.
    public let tests: [SavedTest]
}

/// The result of a check.
public struct DraftCheck: Hashable, Sendable {
    /// The findings and test results in numbers.
    public struct Result: Hashable, Sendable {
        /// The number of errors.
        public var errors: Int
        /// The number of warnings.
        public var warnings: Int
        /// The number of notices.
        public var notices: Int
        /// The number of tests.
        public var tests: Int
        /// The number of failed tests.
        public var failed: Int

        /// Creates a result.
        public init(errors: Int, warnings: Int, notices: Int, tests: Int, failed: Int) {
            self.errors = errors
            self.warnings = warnings
            self.notices = notices
            self.tests = tests
            self.failed = failed
        }
    }

    /// The checked draft.
    public let draft: UncheckedDraft
    /// The result, or `nil` if the draft cannot be read.
    public let result: Result?

    /// Creates a check.
    public init(of draft: UncheckedDraft, result: Result?) {
        self.draft = draft
        self.result = result
    }
}

/// Checks of drafts by a worker (docs/decisions/0013). Each row of `domain_states` marks whether the draft must be
/// checked, and has the results of the last check.
extension TenantTransaction {
    /// Marks the drafts of up to 100 newly registered apps, because their findings change.
    public func markDraftsOfNewApps() throws {
        let apps = try database.query(
            """
            select app_id from apps
            where organization_id = \(organization.uuid) and is_new
            limit 100
            for update skip locked
            """
        ).map { try $0.decode("app_id", as: String.self) }
        guard !apps.isEmpty else { return }
        try database.execute(
            .replanned(
                """
                with locked as (
                  select host from domain_states
                  where organization_id = \(organization.uuid) and host in (
                    select host from draft_apps
                    where organization_id = \(organization.uuid) and app_id = any(\(apps)::text[]))
                  order by host
                  for update
                )
                update domain_states set other_changes = other_changes + 1
                from locked
                where domain_states.organization_id = \(organization.uuid) and domain_states.host = locked.host
                """))
        try database.execute(
            """
            update apps set is_new = false
            where organization_id = \(organization.uuid) and app_id = any(\(apps)::text[])
            """)
    }

    /// Whether ``markDraftsOfNewApps()`` has anything to do.
    public func hasNewApps() throws -> Bool {
        try database.first(
            """
            select app_id from apps
            where organization_id = \(organization.uuid) and is_new
            limit 1
            """) != nil
    }

    /// Drafts that must be checked, at most `limit`.
    public func uncheckedDrafts(limit: Int) throws -> [UncheckedDraft] {
        try database.query(
            .replanned(
                """
                select states.host, states.draft_sha256, states.other_changes, drafts.revision
                from (
                  select host, draft_sha256, other_changes from domain_states
                  where organization_id = \(organization.uuid) and is_unchecked
                  limit \(limit)
                ) as states
                cross join lateral (
                  select revision from drafts
                  where organization_id = \(organization.uuid) and host = states.host
                  limit 1
                ) as drafts
                """)
        ).map { row in
            UncheckedDraft(
                host: try row.host("host"), revision: try row.decode("revision", as: Int.self),
                sha256: try row.decode("draft_sha256", as: [UInt8].self),
                changes: try row.decode("other_changes", as: Int.self))
        }
    }

    /// The data for the check of a draft, or `nil` if the draft has changed in the meantime.
    public func checkable(_ unchecked: UncheckedDraft) throws -> CheckableDraft? {
        do {
            let stored = try draft(unchecked.host)
            guard stored.revision == unchecked.revision else { return nil }
            return CheckableDraft(
                contents: stored.contents, registered: try registered(among: stored.draft.apps),
                tests: try allTests(unchecked.host))
        } catch is StorageError {
            // The domain has been deleted, or is an alias now.
            return nil
        }
    }

    /// Saves the results of checks, and removes the marks of these drafts. If a draft or its tests have changed since
    /// the check, its mark stays. Rows that are locked are skipped, so that this never waits. They keep their mark too,
    /// so a worker checks these drafts again.
    public func save(_ checks: [DraftCheck]) throws {
        guard !checks.isEmpty else { return }
        let hosts = checks.map(\.draft.host.description)
        // In these arrays, -1 means null.
        func column(_ number: (DraftCheck.Result) -> Int) -> [Int] { checks.map { $0.result.map(number) ?? -1 } }
        try database.execute(
            .replanned(
                """
                with checked as (
                  select * from unnest(
                    \(hosts)::text[], \(checks.map(\.draft.sha256))::bytea[],
                    \(checks.map(\.draft.changes))::bigint[], \(column { $0.errors })::bigint[],
                    \(column { $0.warnings })::bigint[], \(column { $0.notices })::bigint[], \(column { $0.tests })::bigint[],
                    \(column { $0.failed })::bigint[]
                  ) as checked (host, sha256, changes, errors, warnings, notices, tests, failed)
                ),
                locked as (
                  select host from domain_states
                  where organization_id = \(organization.uuid)
                    and host = any(\(hosts)::text[])
                  for update skip locked
                )
                update domain_states
                set checked_sha256 = checked.sha256, checked_changes = checked.changes,
                  errors = nullif(checked.errors, -1), warnings = nullif(checked.warnings, -1),
                  notices = nullif(checked.notices, -1), tests = nullif(checked.tests, -1),
                  failed = nullif(checked.failed, -1)
                from checked
                join locked on locked.host = checked.host
                where domain_states.organization_id = \(organization.uuid) and domain_states.host = checked.host
                """))
    }
}

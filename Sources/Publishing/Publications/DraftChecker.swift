import AASA
import FoundationEssentials
public import Logging
import NIOConcurrencyHelpers
import Postgres
public import ServiceLifecycle
public import Storage

/// Lints changed drafts and runs their tests, so that lists can show and find problems (docs/decisions/0013). Any
/// number of checkers can run, on any machines. If two check the same draft, they get the same result. If one fails,
/// the drafts stay marked, and another checks them in its next sweep.
///
/// It uses at most half of one processor. After a limited number of drafts, it continues with another organization.
public struct DraftChecker: Service {
    /// The pause between two checks if no drafts are left.
    static let interval = Duration.milliseconds(250)
    /// The time between two passes through all organizations.
    static let sweepInterval = Duration.seconds(600)
    /// At most this many drafts of one organization are checked before it is the next organization's turn.
    static let draftsAtOnce = 32
    /// When one organization has taken this time, it is the next organization's turn.
    static let timeAtOnce = Duration.milliseconds(250)

    private let store: Store
    private let logger: Logger
    private let threads = WorkThreads(count: 1)
    /// The organizations that may have unchecked drafts.
    private let due = NIOLockedValueBox<Set<ID<Organization>>>([])
    /// The organizations whose last check failed. For each, only the first of several errors in a row is logged.
    private let failing = NIOLockedValueBox<Set<ID<Organization>>>([])

    /// Creates a checker for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Reports that drafts of an organization may have changed.
    public func note(_ organization: ID<Organization>) {
        due.withLockedValue { _ = $0.insert(organization) }
    }

    /// Runs until the service shuts down. Errors do not end it.
    public func run() async throws {
        let sweep = Sweep(failure: "Drafts cannot be checked; this will be tried again.", logger: logger)
        await sweep.run(nil as ContinuousClock.Instant?) { sweptAt in
            let start = ContinuousClock.now
            if sweptAt.map({ start - $0 > Self.sweepInterval }) ?? true {
                try await noteAll()
                sweptAt = start
            }
            return try await checkOnce() ? ContinuousClock.now - start : Self.interval
        }
    }

    /// Marks all organizations as due.
    func noteAll() async throws {
        var last: ID<Organization>?
        repeat {
            let organizations = try await store.read { [last] in try $0.organizations(after: last, limit: 1_000) }
            due.withLockedValue { $0.formUnion(organizations) }
            last = organizations.last
        } while last != nil
    }

    /// Checks some drafts of every due organization.
    ///
    /// - Returns: True if more may need a check.
    func checkOnce() async throws -> Bool {
        var waiting = due.withLockedValue { due in
            defer { due = [] }
            return due
        }
        // After an error, the organizations that were not checked stay due.
        defer { due.withLockedValue { [waiting] in $0.formUnion(waiting) } }
        var hasMore = false
        for organization in waiting {
            do {
                if try await check(organization) {
                    hasMore = true
                } else {
                    waiting.remove(organization)
                }
                failing.withLockedValue { _ = $0.remove(organization) }
            } catch let error where error.concernsOneOrganization {
                waiting.remove(organization)
                guard failing.withLockedValue({ $0.insert(organization).inserted }) else { continue }
                logger.error(
                    "Drafts cannot be checked; this will be tried again later.",
                    metadata: ["organization": "\(organization)", "error": "\(error)"])
            }
        }
        return hasMore
    }

    /// Checks some drafts of an organization. Returns true if more may need a check.
    private func check(_ organization: ID<Organization>) async throws -> Bool {
        if try await store.read(as: organization, { try $0.hasNewApps() }) {
            try await store.write(as: organization, by: .system, deadline: .seconds(60)) {
                try $0.markDraftsOfNewApps()
            }
        }
        let unchecked = try await store.read(as: organization) { try $0.uncheckedDrafts(limit: Self.draftsAtOnce) }
        let end = ContinuousClock.now + Self.timeAtOnce
        var checks: [DraftCheck] = []
        for draft in unchecked where checks.isEmpty || ContinuousClock.now < end {
            if let check = try await check(draft, in: organization) { checks.append(check) }
        }
        try await store.write(as: organization, by: .system) { [checks] in try $0.save(checks) }
        return !unchecked.isEmpty
    }

    /// Checks a draft. Returns `nil` if it has changed meanwhile.
    private func check(_ draft: UncheckedDraft, in organization: ID<Organization>) async throws -> DraftCheck? {
        do {
            guard let found = try await store.read(as: organization, { try $0.checkable(draft) }) else { return nil }
            return await withTaskExecutorPreference(threads) {
                DraftCheck(of: draft, result: DraftCheck.Result(of: found, on: draft.host))
            }
        } catch let error where !(error is PostgresError || error is CancellationError) {
            // Save an empty result, so that the draft is not checked again before it changes.
            logger.error("A draft cannot be read.", metadata: ["host": "\(draft.host)", "error": "\(error)"])
            return DraftCheck(of: draft, result: nil)
        }
    }
}

extension DraftCheck.Result {
    /// Lints a draft and runs its tests.
    init(of draft: CheckableDraft, on host: Host) {
        let findings = draft.contents.report(registered: draft.registered).findings
        let results = SavedTest.run(draft.tests, against: draft.contents.file.contents.association, on: host)
        self.init(
            errors: findings.count { $0.severity == .error }, warnings: findings.count { $0.severity == .warning },
            notices: findings.count { $0.severity == .notice }, tests: results.count,
            failed: results.count { !$0.result.passed })
    }
}

public import AASA
import FoundationEssentials
import Snapshot
public import Storage
import StrictJSON

/// Creates versions and publications, each in one transaction. Each file must pass the gate.
public struct Publisher: Sendable {
    /// A request for a publication.
    public struct Request: Hashable, Sendable {
        /// The version to publish, or `nil` for the draft.
        public var version: Int?
        /// The expected revision of the draft, or `nil` for any revision.
        public var expectedRevision: Int?
        /// The requester's message, at most 1,000 characters. It may be empty.
        public var message: String
        /// The reason for an override. It is required to override.
        public var reason: String?
        /// True to publish even if the file differs greatly from the live one, or if another version goes live first.
        public var overrides: Bool
        /// True to publish without the required approvals. Only the people whom the policies name can do this.
        public var bypassesApproval: Bool
        /// The times of the publication and its rollback.
        public var times: PublicationTimes

        /// Creates a request.
        public init(
            version: Int? = nil, expectedRevision: Int? = nil, message: String = "", reason: String? = nil,
            overrides: Bool = false, bypassesApproval: Bool = false, times: PublicationTimes = PublicationTimes()
        ) {
            self.version = version
            self.expectedRevision = expectedRevision
            self.message = message
            self.reason = reason
            self.overrides = overrides
            self.bypassesApproval = bypassesApproval
            self.times = times
        }
    }

    /// The result of a request.
    public enum Outcome: Hashable, Sendable {
        /// A publication was created.
        case made(Publication)
        /// Nothing was created, because the live file has exactly these bytes.
        case unchanged(Domain.Live)
    }

    let store: Store
    private let gate = Gate()

    /// Creates a publisher for a store.
    public init(store: Store) {
        self.store = store
    }

    /// Saves a domain's draft as its next version, without publishing it. Throws ``GateRefusal``, or `StorageError`
    /// (`notFound`, `isAlias`, `revisionMoved`).
    public func freeze(
        _ host: Host, expectedRevision: Int?, message: String, as organization: ID<Organization>, by author: Author
    ) async throws -> Version {
        try await store.write(as: organization, by: author) { tenant in
            let before = try Before(host, at: nil, in: tenant)
            let request = Request(expectedRevision: expectedRevision, message: message)
            return try freeze(host, request, purpose: .freezing, after: before, in: tenant).version
        }
    }

    /// Saves a file from an export as a domain's next version, in the caller's transaction. A version that the gate would
    /// not save today is restored too: it must pass the gate before it goes live. Throws `StorageError` (`notFound`,
    /// `isAlias`).
    public func restore(
        _ file: [UInt8], of host: Host, message: String, in tenant: TenantTransaction
    ) throws -> Version {
        let apps = (try? Association(parsing: file).appIDs) ?? []
        let report = gate.judge(
            Gate.Candidate(
                file: file, draft: nil, tests: try tenant.runTests(of: host, against: file), isVerified: false,
                registered: try tenant.registered(among: apps), live: nil, overridesSimilarity: true,
                purpose: .freezing))
        return try tenant.freeze(
            file, of: host, draftRevision: 1, message: message, report: report.keptJSON,
            testResults: .array(report.tests.map(\.json)), isRestored: true)
    }

    /// Creates a publication of the draft or of an older version, and a rollback if requested. A worker later makes
    /// them live. If the file is already live, normally nothing is created. But a publication is created if the request
    /// overrides or has a time, or if other items are pending. Throws ``GateRefusal``, ``InvalidTimes``, or
    /// `StorageError` (`notFound`, `isAlias`, `beingWithdrawn`, `revisionMoved`, `tooManyPublications`).
    public func publish(
        _ host: Host, _ request: Request, as organization: ID<Organization>, by author: Author
    ) async throws -> Outcome {
        let outcome = try await store.write(as: organization, by: author) { tenant in
            let outcome = try publish(host, request, in: tenant)
            ProcessFault.reach("publication.making")
            return outcome
        }
        ProcessFault.reach("publication.made")
        return outcome
    }

    /// Does the same in the caller's transaction. If this throws an error, do not commit the transaction.
    func publish(_ host: Host, _ request: Request, in tenant: TenantTransaction) throws -> Outcome {
        var request = request
        request.times = try request.times.checked(in: tenant)
        let domain = try tenant.lockedDomain(host)
        if let target = domain.aliasOf { throw StorageError.isAlias(of: target.description) }
        // A withdrawal is an administrator's decision. A publication, which may be automated, must not undo it
        // silently.
        if let withdrawal = domain.withdrawal { throw StorageError.beingWithdrawn(at: withdrawal.dueAt) }
        if let live = try liveVersion(of: host, unchangedBy: request, in: tenant) { return .unchanged(live) }
        try tenant.supersede(host, dueAt: request.times.at)
        if let revertAt = request.times.revertAt { try tenant.supersede(host, dueAt: revertAt) }
        return .made(try make(host, request, in: tenant))
    }

    /// The live version, if the request would change nothing, otherwise `nil`. A publication with a time is always
    /// created, because another version may be live by then.
    private func liveVersion(
        of host: Host, unchangedBy request: Request, in tenant: TenantTransaction
    ) throws -> Domain.Live? {
        guard !request.overrides, request.times.at == nil, request.times.revertAt == nil else { return nil }
        let version = try request.version.map { try tenant.version($0, of: host) }
        if version == nil { _ = try tenant.lockedDraft(host, expecting: request.expectedRevision) }
        let domain = try tenant.domain(host)
        guard let live = domain.live, version.map({ $0.sha256 == live.sha256 }) ?? !domain.isDraftChanged else {
            return nil
        }
        return try tenant.isUpToDate(host, on: live) ? live : nil
    }

    private func make(_ host: Host, _ request: Request, in tenant: TenantTransaction) throws -> Publication {
        let before = try Before(host, at: request.times.at, in: tenant)
        let frozen =
            try request.version.map { number in
                let purpose: Gate.Purpose =
                    try tenant.hasBeenLive(version: number, of: host) ? .goingBack : .publishing
                return try older(number, of: host, request, purpose: purpose, after: before, in: tenant)
            }
            ?? freeze(host, request, purpose: .publishing, after: before, in: tenant)
        var new = NewPublication(
            of: host, version: frozen.version.number, message: request.message, report: frozen.report.keptJSON)
        new.reason = request.reason
        new.overrides = request.overrides
        new.bypassesApproval = frozen.report.bypassesApproval
        new.dueAt = request.times.at
        new.effectiveBy = request.times.effectiveBy
        new.zone = request.times.zone
        new.follows = before.publication
        let publication = try tenant.createPublication(new)
        guard request.times.revertAt != nil else { return publication }
        guard let version = before.version else { throw InvalidTimes([.nothingToGoBackTo]) }
        try makeRevert(of: publication, to: version, request, in: tenant)
        return try tenant.publication(publication.id, of: host)
    }

    private func makeRevert(
        of publication: Publication, to version: Int, _ request: Request, in tenant: TenantTransaction
    ) throws {
        let changed = try Before(publication, in: tenant)
        let frozen = try older(
            version, of: publication.host, Request(), purpose: .goingBack, after: changed, in: tenant)
        var new = NewPublication(
            of: publication.host, version: version, message: "Roll back to version \(version)",
            report: frozen.report.keptJSON)
        new.reason = request.reason
        new.dueAt = request.times.revertAt
        new.zone = request.times.zone
        new.follows = publication.id
        new.isRevert = true
        _ = try tenant.createPublication(new)
    }

    /// The version that will be live just before a publication takes effect. Pending publications that the new one
    /// replaces must already be cancelled.
    private struct Before {
        /// The pending publication that will make the version live.
        let publication: ID<Publication>?
        /// The version, or `nil` if no version will be live.
        let version: Int?
        /// The bytes of the version.
        let file: [UInt8]?

        init(_ host: Host, at due: Date?, in tenant: TenantTransaction, locking: Bool = true) throws {
            let pending = try due.flatMap { try tenant.lastPending(host, before: $0, locking: locking) }
            publication = pending?.id
            version = try pending?.version ?? tenant.domain(host).live?.version
            file = try version.map { try tenant.file(ofVersion: $0, of: host) }
        }

        /// Creates the state for a publication that follows `pending`.
        init(_ pending: Publication, in tenant: TenantTransaction) throws {
            publication = pending.id
            version = pending.version
            file = try tenant.file(ofVersion: pending.version, of: pending.host)
        }

        /// The replacements in the domain's draft after this version, up to a revision.
        func replacedApps(in host: Host, upTo revision: Int, _ tenant: TenantTransaction) throws -> [ReplacedApp] {
            guard let version else { return [] }
            return try tenant.replacedApps(since: [(host, version)])[host, default: []].filter {
                $0.revision <= revision
            }
        }
    }

    private typealias Frozen = (version: Version, report: GateReport)

    private func freeze(
        _ host: Host, _ request: Request, purpose: Gate.Purpose, after before: Before, in tenant: TenantTransaction
    ) throws -> Frozen {
        _ = try tenant.lockedDomain(host)
        let stored = try tenant.lockedDraft(host, expecting: request.expectedRevision)
        let report = try judge(stored, of: host, request, purpose: purpose, after: before, in: tenant)
        guard report.passed else { throw GateRefusal(report: report) }
        let version = try tenant.freeze(
            stored.contents.file.bytes, of: host, draftRevision: stored.revision, message: request.message,
            report: report.keptJSON, testResults: .array(report.tests.map(\.json)))
        return (version, report)
    }

    private func older(
        _ number: Int, of host: Host, _ request: Request, purpose: Gate.Purpose, after before: Before,
        in tenant: TenantTransaction
    ) throws -> Frozen {
        let version = try tenant.version(number, of: host)
        let report = try judge(version, of: host, request, purpose: purpose, after: before, in: tenant)
        guard report.passed else { throw GateRefusal(report: report) }
        return (version, report)
    }

    /// Judges a draft.
    private func judge(
        _ stored: StoredDraft, of host: Host, _ request: Request, purpose: Gate.Purpose, after before: Before,
        in tenant: TenantTransaction
    ) throws -> GateReport {
        let file = stored.contents.file.bytes
        return gate.judge(
            Gate.Candidate(
                file: file, draft: stored.draft, tests: try tenant.runTests(of: host, against: file),
                isVerified: try tenant.domain(host).verifiedAt != nil,
                registered: try tenant.registered(among: stored.draft.apps), live: before.file,
                replaced: try before.replacedApps(in: host, upTo: stored.revision, tenant),
                overridesSimilarity: request.overrides,
                approval: try tenant.approvalNeed(of: HostFile(host, stored.contents.file.sha256)),
                bypassesApproval: request.bypassesApproval, purpose: purpose))
    }

    /// Judges an older version.
    private func judge(
        _ version: Version, of host: Host, _ request: Request, purpose: Gate.Purpose, after before: Before,
        in tenant: TenantTransaction
    ) throws -> GateReport {
        let file = try tenant.file(ofVersion: version.number, of: host)
        let apps = (try? Association(parsing: file).appIDs) ?? []
        return gate.judge(
            Gate.Candidate(
                file: file, draft: nil, tests: try tenant.runTests(of: host, against: file),
                isVerified: try tenant.domain(host).verifiedAt != nil,
                registered: try tenant.registered(among: apps), live: before.file,
                replaced: try before.replacedApps(in: host, upTo: version.draftRevision, tenant),
                overridesSimilarity: request.overrides,
                approval: try tenant.approvalNeed(of: HostFile(host, version.sha256)),
                bypassesApproval: request.bypassesApproval, purpose: purpose))
    }
}

/// The result of judging a file without publishing it.
public struct PublicationCheck: Sendable {
    /// The checked revision of the draft, or `nil` for an older version.
    public let draftRevision: Int?
    /// The checked version, or `nil` for the draft.
    public let version: Int?
    /// True if the file has exactly the bytes of the live one.
    public let isUnchanged: Bool
    /// The gate's report on the file.
    public let report: GateReport
}

extension Publisher {
    /// Judges the draft or an older version like ``publish(_:_:as:by:)``, without saving anything. Throws
    /// ``InvalidTimes``, or `StorageError` (`notFound`, `isAlias`, `beingWithdrawn`).
    public func check(_ host: Host, _ request: Request, as organization: ID<Organization>) async throws
        -> PublicationCheck
    {
        try await store.read(as: organization) { tenant in
            let times = try request.times.checked(in: tenant)
            let domain = try tenant.domain(host)
            if let target = domain.aliasOf { throw StorageError.isAlias(of: target.description) }
            if let withdrawal = domain.withdrawal { throw StorageError.beingWithdrawn(at: withdrawal.dueAt) }
            let before = try Before(host, at: times.at, in: tenant, locking: false)
            let (revision, report): (Int?, GateReport)
            if let number = request.version {
                let purpose: Gate.Purpose =
                    try tenant.hasBeenLive(version: number, of: host) ? .goingBack : .publishing
                let version = try tenant.version(number, of: host)
                revision = nil
                report = try judge(version, of: host, request, purpose: purpose, after: before, in: tenant)
            } else {
                let stored = try tenant.draft(host)
                revision = stored.revision
                report = try judge(stored, of: host, request, purpose: .publishing, after: before, in: tenant)
            }
            return PublicationCheck(
                draftRevision: revision, version: request.version, isUnchanged: report.sha256 == domain.live?.sha256,
                report: report)
        }
    }
}

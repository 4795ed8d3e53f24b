public import AASA
public import Storage
import StrictJSON

/// Makes versions and publications: each in one transaction, and none without the gate.
public struct Publisher: Sendable {
    /// What is to be published, and how.
    public struct Request: Hashable, Sendable {
        /// The version to publish; `nil` freezes the draft.
        public var version: Int?
        /// The draft's revision that the requester has seen; `nil` for whatever it is.
        public var expectedRevision: Int?
        /// What the requester says about it; at most 1,000 characters, may be empty.
        public var message: String
        /// Why; needed to override.
        public var reason: String?
        /// Publish although the file differs much from what is live, or what is live moves meanwhile.
        public var overrides: Bool

        /// A request.
        public init(
            version: Int? = nil, expectedRevision: Int? = nil, message: String = "", reason: String? = nil,
            overrides: Bool = false
        ) {
            self.version = version
            self.expectedRevision = expectedRevision
            self.message = message
            self.reason = reason
            self.overrides = overrides
        }
    }

    private let store: Store
    private let gate = Gate()

    /// A publisher over a store.
    public init(store: Store) {
        self.store = store
    }

    /// Freezes a domain's draft as its next version and publishes nothing.
    /// Throws ``GateRefusal``, or `StorageError` (`notFound`, `isAlias`, `revisionMoved`).
    public func freeze(
        _ host: Host, expectedRevision: Int?, message: String, as organization: ID<Organization>, by author: Author
    ) async throws -> Version {
        try await store.write(as: organization, by: author) { tenant in
            try freeze(
                host, Request(expectedRevision: expectedRevision, message: message), purpose: .freezing, in: tenant
            ).version
        }
    }

    /// Makes a publication, of the draft or of an older version. A worker carries it out.
    /// Throws ``GateRefusal``, or `StorageError` (`notFound`, `isAlias`, `revisionMoved`).
    public func publish(
        _ host: Host, _ request: Request, as organization: ID<Organization>, by author: Author
    ) async throws -> Publication {
        try await store.write(as: organization, by: author) { tenant in
            let frozen =
                try request.version.map { try older($0, of: host, request, in: tenant) }
                ?? freeze(host, request, purpose: .publishing, in: tenant)
            return try tenant.createPublication(
                of: host, version: frozen.version.number, message: request.message, reason: request.reason,
                overrides: request.overrides, report: frozen.report.keptJSON)
        }
    }

    private typealias Frozen = (version: Version, report: GateReport)

    private func freeze(
        _ host: Host, _ request: Request, purpose: Gate.Purpose, in tenant: Tenant
    ) throws -> Frozen {
        let domain = try tenant.lockedDomain(host)
        if purpose == .publishing { try tenant.supersedePending(host) }
        let stored = try tenant.lockedDraft(host, expecting: request.expectedRevision)
        let file = stored.draft.association().bytes
        let candidate = Gate.Candidate(
            file: file, draft: stored.draft, tests: try tenant.runTests(of: host, against: file),
            isVerified: domain.verifiedAt != nil,
            registered: try tenant.registered(among: stored.draft.apps),
            live: try liveFile(of: host, in: tenant),
            overridesSimilarity: request.overrides, purpose: purpose)
        let report = gate.judge(candidate)
        guard report.passed else { throw GateRefusal(report: report) }
        let version = try tenant.freeze(
            file, of: host, draftRevision: stored.revision, message: request.message,
            report: report.keptJSON, testResults: .array(report.tests.map(\.json)))
        return (version, report)
    }

    private func older(_ number: Int, of host: Host, _ request: Request, in tenant: Tenant) throws -> Frozen {
        let domain = try tenant.lockedDomain(host)
        if let target = domain.aliasOf { throw StorageError.isAlias(of: target.description) }
        try tenant.supersedePending(host)
        let version = try tenant.version(number, of: host)
        let file = try tenant.file(ofVersion: number, of: host)
        let apps = (try? Association(parsing: file).appIDs) ?? []
        let report = gate.judge(
            Gate.Candidate(
                file: file, draft: nil, tests: try tenant.runTests(of: host, against: file),
                isVerified: domain.verifiedAt != nil,
                registered: try tenant.registered(among: apps), live: try liveFile(of: host, in: tenant),
                overridesSimilarity: request.overrides,
                purpose: try tenant.hasBeenLive(version: number, of: host) ? .goingBack : .publishing))
        guard report.passed else { throw GateRefusal(report: report) }
        return (version, report)
    }

    /// What is live now that nothing pending can change it any more: a worker that was about to has come to its end.
    private func liveFile(of host: Host, in tenant: Tenant) throws -> [UInt8]? {
        try tenant.domain(host).live.map { try tenant.file(ofVersion: $0.version, of: host) }
    }
}

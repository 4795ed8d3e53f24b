public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

/// A new release.
public struct NewRelease: Sendable {
    /// The release's domains.
    public var choice: DomainChoice
    /// The requester's message. It may be empty.
    public var message = ""
    /// The reason. It is required to override.
    public var reason: String?
    /// Whether it goes live even if a file is very different, or the live version has changed.
    public var overrides = false
    /// Whether it goes live without the required approvals, if the requester can bypass them.
    public var bypassesApproval = false
    /// Whether it is only judged, not published.
    public var isDryRun = false
    /// The due time, or `nil` for as soon as possible.
    public var dueAt: Date?
    /// The time by which devices must have the change. It determines ``dueAt``, which is earlier.
    public var effectiveBy: Date?
    /// The requester's time zone.
    public var zone: String?

    /// Creates a release of the drafts of these domains, due now.
    public init(of choice: DomainChoice) {
        self.choice = choice
    }
}

/// A filter for releases.
public enum ReleaseFilter: Hashable, Sendable {
    /// Pending releases.
    case pending
    /// Releases in this state.
    case state(Release.State)

    /// `pending`, or the name of a state, or `nil` for anything else.
    public init?(_ text: String) {
        if text == "pending" {
            self = .pending
        } else if let state = Release.State(rawValue: text) {
            self = .state(state)
        } else {
            return nil
        }
    }

    /// The condition for this filter, written so that PostgreSQL can use the index of pending releases.
    fileprivate var condition: SQL {
        switch self {
        case .pending: "and state in ('judging', 'scheduled', 'running')"
        case .state(let state): "and state = \(state.rawValue)"
        }
    }
}

extension TenantTransaction {
    /// The organization's releases, newest first. The page's key is the ID of the last item on the previous page.
    ///
    /// - Parameter host: Only releases with this domain, or `nil` for all releases.
    public func releases(
        _ page: Page, _ filter: ReleaseFilter? = nil, with host: Host? = nil
    ) throws -> Listing<Release> {
        return try list(page, key: \.id.description, reading: { try $0.map(Release.init(row:)) }) { page in
            """
            select \(fragment: Release.columns) from releases
            where organization_id = \(organization.uuid) \(fragment: filter?.condition ?? "")
              \(fragment: try host.map { try holding($0) } ?? "")
              \(fragment: try page.newestFirst(of: "releases", Release.self, in: organization))
            """
        }
    }

    /// The condition for releases that contain a domain. Up to 500 such releases are selected by their IDs. If there
    /// are more, releases are tested one by one, newest first.
    private func holding(_ host: Host) throws -> SQL {
        let maximum = 500
        let holding: SQL = """
            from release_domains
            where release_domains.organization_id = \(organization.uuid) and release_domains.host = \(host.description)
            """
        let counted = try database.only(
            "select count(*) as count from (select \(fragment: holding) limit \(maximum + 1)) as counted")
        guard try counted.decode("count", as: Int.self) > maximum else {
            return "and id = any(array(select release_domains.release_id \(fragment: holding)))"
        }
        return """
            and (select true \(fragment: holding) and release_domains.release_id = releases.id limit 1)
            """
    }

    /// The release with this ID. Throws `notFound` if it does not exist.
    public func release(_ id: ID<Release>) throws -> Release {
        let row = try database.first(
            """
            select \(fragment: Release.columns) from releases
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "release", key: id.description) }
        return try Release(row: row)
    }

    /// The domains of a release, sorted by host. `state` filters the list. Throws `notFound`.
    public func domains(
        of id: ID<Release>, _ page: Page, state: ReleaseDomain.State? = nil
    ) throws -> Listing<ReleaseDomain> {
        _ = try release(id)
        return try list(page, key: \.host.description, reading: { try $0.map(ReleaseDomain.init(row:)) }) { page in
            """
            select \(fragment: ReleaseDomain.columns) from release_domains
            where organization_id = \(organization.uuid) and release_id = \(id.uuid) and host > \(page.after ?? "")
              \(fragment: state.map { "and state = \($0.rawValue)" } ?? "")
            order by host
            limit \(page.rowsToRead)
            """
        }
    }

    /// Records a release of drafts, and the job that judges it. Throws ``UnusableChoice``, `tooManyReleases`.
    public func createRelease(_ new: NewRelease) throws -> Release {
        // Hosts are sorted here and below, because each new row locks its domain, and a fixed order prevents deadlocks.
        let hosts = try hosts(of: new.choice)
        let label: String? = if case .label(let label) = new.choice { label } else { nil }
        let id = try insertRelease(new, label: label, rollsBack: nil)
        try database.execute(
            """
            insert into release_domains (organization_id, release_id, host, state)
            select \(organization.uuid), \(id.uuid), chosen.host, 'waiting'
            from unnest(\(hosts)::text[]) as chosen (host)
            order by chosen.host
            """)
        return try queue(id)
    }

    /// Records a release that rolls another one back, by publishing the previous live versions again. Domains without a
    /// previous live version do not change. If the live version of a domain has changed since, the new release is
    /// suspended, unless it overrides. `new.choice` is ignored. Throws `notFound`, `releaseNotLive`, `tooManyReleases`.
    public func createRelease(rollingBack other: ID<Release>, _ new: NewRelease) throws -> Release {
        guard try release(other).state == .live else { throw StorageError.releaseNotLive }
        let id = try insertRelease(new, label: nil, rollsBack: other)
        try database.execute(
            """
            insert into release_domains (organization_id, release_id, host, state, version, made_against)
            select organization_id, \(id.uuid), host, case when version_before is null then 'staying' else 'waiting' end,
              version_before, activation
            from release_domains
            where organization_id = \(organization.uuid) and release_id = \(other.uuid) and state = 'live'
            order by host
            """)
        return try queue(id)
    }

    /// Cancels a pending release. Throws `notFound`, `releaseEnded`.
    public func cancelRelease(_ id: ID<Release>) throws -> Release {
        guard let release = try lockedRelease(id) else {
            throw StorageError.notFound(kind: "release", key: id.description)
        }
        guard !release.state.isEnding else { throw StorageError.releaseEnded(state: release.state.rawValue) }
        return try end(release, as: .cancelled, cause: "cancelled by \(author.name)")
    }

    /// The release with this ID, or `nil` if it does not exist. Locks its row until the transaction ends.
    public func lockedRelease(_ id: ID<Release>) throws -> Release? {
        let locked = try database.first(
            """
            select 1 as one from releases
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for update
            """)
        return locked == nil ? nil : try release(id)
    }

    /// The pending releases with a host. Locks their rows in the order of their IDs. The caller must hold the domain's
    /// lock.
    func pendingReleases(with host: Host) throws -> [Release] {
        try database.query(
            """
            select releases.id from releases
            join release_domains on release_domains.organization_id = releases.organization_id
              and release_domains.release_id = releases.id
            where releases.organization_id = \(organization.uuid) and not releases.dry_run
              and releases.state in ('judging', 'scheduled', 'running')
              and release_domains.host = \(host.description)
              and release_domains.state in ('waiting', 'passed', 'frozen')
            order by releases.id
            for update of releases
            """
        ).map { try release($0.id("id")) }
    }

    /// Records a failed attempt and its cause. The next attempt is due at `next`.
    public func postpone(_ release: Release, until next: Date, cause: String) throws {
        try audit(
            .releasePostponed, release.id,
            ["message": .string(release.message), "cause": .string(cause), "nextAt": .detail(next)])
        try database.execute(
            """
            update releases set cause = \(cause)
            where organization_id = \(organization.uuid) and id = \(release.id.uuid)
            """)
    }

    /// Changes the state of a pending release.
    public func advance(_ release: Release, to state: Release.State) throws {
        try database.execute(
            """
            update releases
            set state = \(state.rawValue), cause = null,
              started_at = case when \(state == .running) then coalesce(started_at, clock_timestamp()) end
            where organization_id = \(organization.uuid) and id = \(release.id.uuid)
            """)
        // An attempt that is repeated does not change the state, so it adds no entry.
        guard state != release.state, let kind = EventKind(rawValue: "release.\(state.rawValue)") else { return }
        try audit(
            kind, release.id,
            [
                "message": .string(release.message), "dueAt": .detail(release.dueAt),
                "effectiveBy": .detail(release.effectiveBy),
            ])
    }

    /// Ends a release and its job. Stores the activation if the new state is `live`, otherwise the cause. The caller
    /// must have locked the release with ``lockedRelease(_:)``.
    public func end(
        _ release: Release, as state: Release.State, activation: Int64? = nil, cause: String? = nil
    ) throws -> Release {
        try dequeue(.release, key: release.id.uuid)
        try database.execute(
            """
            update releases
            set state = \(state.rawValue), activation = \(activation), cause = \(cause), ended_at = clock_timestamp(),
              counts = (\(fragment: Release.counted))
            where organization_id = \(organization.uuid) and id = \(release.id.uuid)
            """)
        let ended = try self.release(release.id)
        guard let kind = EventKind(rawValue: "release.\(state.rawValue)") else {
            throw CorruptRow(column: "state")
        }
        try audit(
            kind, release.id,
            [
                "message": .string(release.message), "activation": .detail(activation), "cause": .detail(cause),
                "takesBack": .detail(release.rollsBack), "late": .detail(ended.late.map(Int64.init)),
            ])
        return ended
    }

    private func insertRelease(_ new: NewRelease, label: String?, rollsBack: ID<Release>?) throws -> ID<Release> {
        let pending = try database.only(
            """
            select count(*) as pending from releases
            where organization_id = \(organization.uuid) and state in ('judging', 'scheduled', 'running')
            """)
        guard try pending.decode("pending", as: Int.self) < Release.maximumPending else {
            throw StorageError.tooManyReleases
        }
        let id = ID<Release>()
        try database.execute(
            """
            insert into releases (
              organization_id, id, state, label, takes_back, message, reason, overrides, bypasses_approval, dry_run,
              requester_kind, requester_name, due_at, effective_by, zone)
            values (
              \(organization.uuid), \(id.uuid), 'judging', \(label), \(rollsBack?.uuid), \(new.message), \(new.reason),
              \(new.overrides), \(new.bypassesApproval), \(new.isDryRun), \(author.kind.rawValue), \(author.name),
              \(new.dueAt), \(new.effectiveBy), \(new.zone))
            """)
        return id
    }

    private func queue(_ id: ID<Release>) throws -> Release {
        try enqueue(.release, key: id.uuid, at: nil)
        let made = try release(id)
        try audit(
            .releaseCreated, id,
            [
                "domains": .int(made.counts.values.reduce(0, +)), "label": .detail(made.label),
                "takesBack": .detail(made.rollsBack), "dryRun": .bool(made.isDryRun), "dueAt": .detail(made.dueAt),
                "effectiveBy": .detail(made.effectiveBy), "message": .string(made.message),
                "reason": .detail(made.reason), "override": .bool(made.overrides),
                "bypassApproval": .bool(made.bypassesApproval),
            ])
        return made
    }

    private func audit(_ kind: EventKind, _ release: ID<Release>, _ detail: JSONValue) throws {
        try audit(kind, release.description, concerning: .release(release), act: .release(release), detail)
    }
}

public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// The organization's freezes, newest first. The page's key is the ID of the last item on the previous page.
    ///
    /// - Parameter isCurrent: If true, only active freezes; if false, only ended ones; if `nil`, all freezes.
    public func freezes(_ page: Page, isCurrent: Bool? = nil) throws -> Listing<Freeze> {
        return try list(page, key: \.id.description, reading: { try $0.map(Freeze.init(row:)) }) { page in
            """
            select \(fragment: Freeze.columns) from freezes
            where organization_id = \(organization.uuid)
              \(fragment: Freeze.condition(isCurrent: isCurrent))
              \(fragment: try page.newestFirst(of: "freezes", Freeze.self, in: organization))
            """
        }
    }

    /// The freeze with this ID. Throws `notFound` if it does not exist.
    public func freeze(_ id: ID<Freeze>) throws -> Freeze {
        let row = try database.first(
            """
            select \(fragment: Freeze.columns) from freezes
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "freeze", key: id.description) }
        return try Freeze(row: row)
    }

    /// Starts a freeze now. Throws `freezeRefused` if its end is in the past or more than ``Freeze/maximumDays`` days
    /// ahead, and `tooManyFreezes`.
    public func createFreeze(label: String?, reason: String, endsAt: Date) throws -> Freeze {
        let ahead = endsAt.timeIntervalSince(try clock())
        guard ahead > 0 else { throw StorageError.freezeRefused(because: "must be in the future") }
        guard ahead <= Double(Freeze.maximumDays) * 86_400 else {
            throw StorageError.freezeRefused(because: "is more than \(Freeze.maximumDays) days ahead")
        }
        let current = try database.only(
            """
            select count(*) as current from freezes
            where organization_id = \(organization.uuid) and lifted_at is null and ends_at > statement_timestamp()
            """
        ).decode("current", as: Int.self)
        guard current < Freeze.maximumActive else { throw StorageError.tooManyFreezes }
        let id = ID<Freeze>()
        try database.execute(
            """
            insert into freezes (organization_id, id, label, reason, creator_kind, creator_name, ends_at)
            values (
              \(organization.uuid), \(id.uuid), \(label), \(reason), \(author.kind.rawValue), \(author.name), \(endsAt))
            """)
        try enqueue(.freeze, key: id.uuid, at: endsAt)
        let made = try freeze(id)
        try audit(.freezeCreated, made, ["reason": .string(reason), "endsAt": .detail(endsAt)])
        return made
    }

    /// Lifts a freeze. Throws `notFound`, `freezeEnded`.
    public func liftFreeze(_ id: ID<Freeze>) throws -> Freeze {
        let lifted = try database.execute(
            """
            update freezes
            set lifted_at = clock_timestamp(), lifter_kind = \(author.kind.rawValue), lifter_name = \(author.name)
            where organization_id = \(organization.uuid) and id = \(id.uuid) and lifted_at is null
              and ends_at > clock_timestamp()
            """)
        let freeze = try freeze(id)
        guard lifted == 1 else { throw StorageError.freezeEnded }
        try remove(.freeze, keys: [id.uuid])
        try audit(.freezeLifted, freeze, [:])
        return freeze
    }

    /// Records that a freeze has ended, and ends its job. If the freeze ends in the future, reschedules the job
    /// instead. Throws `JobLost` and `notFound`.
    public func recordEnd(of id: ID<Freeze>, _ job: Job) throws {
        let freeze = try freeze(id)
        guard !freeze.isCurrent else { return try putOff(job, until: freeze.endsAt) }
        try finish(job)
        try audit(.freezeEnded, freeze, [:])
    }

    private func audit(
        _ kind: EventKind, _ freeze: Freeze, _ more: KeyValuePairs<String, JSONValue>
    ) throws {
        let own: KeyValuePairs<String, JSONValue> = [
            "freeze": .string(freeze.id.description), "label": .detail(freeze.label),
        ]
        try audit(
            kind, freeze.label ?? "*", concerning: freeze.label.map { .labelled($0) } ?? .every,
            .object(JSONObject((Array(own) + Array(more)).map { ($0.key, $0.value) })))
    }

    /// The longest freeze that currently applies to a domain, or `nil` if none does. A freeze of a domain also applies
    /// to its aliases.
    public func freeze(covering host: Host) throws -> Freeze? { try freezes(covering: [host])[host] }

    /// The freezes that currently apply to domains.
    public func freezes(covering hosts: [Host]) throws -> [Host: Freeze] {
        let rows = try database.query(
            """
            select distinct on (domains.host) domains.host, \(fragment: Freeze.columns)
            from domains
            join freezes on freezes.organization_id = domains.organization_id
              and (freezes.label is null or freezes.label = any(domains.labels))
            where domains.organization_id = \(organization.uuid) and domains.host = any(\(hosts.map(\.description)))
              and freezes.lifted_at is null and freezes.ends_at > statement_timestamp()
            order by domains.host, freezes.ends_at desc
            """)
        return try rows.reduce(into: [:]) { freezes, row in freezes[try row.host("host")] = try Freeze(row: row) }
    }

    /// The freeze that will suspend a pending release at its due time, if nothing else changes. `nil` if no freeze
    /// will.
    public func freeze(stopping release: Release) throws -> Freeze? {
        guard !release.state.isEnding, let due = release.dueAt, let freeze = try freeze(covering: release) else {
            return nil
        }
        return due < freeze.endsAt ? freeze : nil
    }

    /// The longest freeze that applies to a domain of a release, or `nil` if none does.
    func freeze(covering release: Release) throws -> Freeze? {
        try database.first(
            """
            select \(fragment: Freeze.columns) from freezes
            where freezes.organization_id = \(organization.uuid)
              and freezes.lifted_at is null and freezes.ends_at > statement_timestamp()
              and (freezes.label is null or exists (
                select from release_domains
                join domains on domains.organization_id = \(organization.uuid) and domains.host = release_domains.host
                where release_domains.organization_id = \(organization.uuid)
                  and release_domains.release_id = \(release.id.uuid)
                  and release_domains.state in ('waiting', 'passed', 'frozen', 'live') and freezes.label = any(domains.labels)))
            order by freezes.ends_at desc
            limit 1
            """
        ).map(Freeze.init(row:))
    }

    /// For each target of a schedule, the longest freeze that applies to the whole target.
    public func freezes(covering targets: [Schedule.Target]) throws -> [Schedule.Target: Freeze] {
        let hosts = try freezes(covering: targets.compactMap(\.host))
        let labels = targets.compactMap(\.label)
        let rows = try database.query(
            """
            select distinct on (asked.label) asked.label, \(fragment: Freeze.columns)
            from unnest(\(labels)::text[]) as asked (label)
            join freezes on freezes.organization_id = \(organization.uuid)
              and (freezes.label is null or freezes.label = asked.label)
              and freezes.lifted_at is null and freezes.ends_at > statement_timestamp()
            order by asked.label, freezes.ends_at desc
            """)
        let labelled = try rows.map { row in
            (Schedule.Target.label(try row.decode("label", as: String.self)), try Freeze(row: row))
        }
        return Dictionary(hosts.map { (.domain($0), $1) } + labelled) { first, _ in first }
    }
}

extension Freeze {
    /// The maximum length of a freeze in days.
    public static let maximumDays = 366
    /// The maximum number of active freezes of an organization.
    public static let maximumActive = 100
}

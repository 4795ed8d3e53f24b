import AASA
import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// Adds an entry about a host to the audit trail, in the transaction of the change.
    ///
    /// - Parameter detail: Further information for readers of the audit trail. It must not contain secrets.
    func audit(_ kind: EventKind, _ host: Host, _ detail: JSONValue = [:]) throws {
        try insertEntry(kind, host.description, (host, nil), detail)
    }

    /// Adds an entry about any other subject.
    ///
    /// - Parameter subject: The subject's natural key.
    func audit(_ kind: EventKind, _ subject: String, _ detail: JSONValue = [:]) throws {
        try insertEntry(kind, subject, (nil, nil), detail)
    }

    /// Adds an entry about any other subject that affects domains. A search by the host of such a domain finds it.
    ///
    /// - Parameter act: The act that the entry is about. By default, the act of the transaction.
    func audit(
        _ kind: EventKind, _ subject: String, concerning domains: ConcernedDomains, act: EventAct? = nil,
        _ detail: JSONValue
    ) throws {
        try insertEntry(kind, subject, domains.columns, act: act, detail)
    }

    /// Adds an entry about an act.
    func audit(_ kind: EventKind, _ subject: String, act: EventAct, _ detail: JSONValue) throws {
        try insertEntry(kind, subject, (nil, nil), act: act, detail)
    }

    /// Marks all later entries of this transaction as part of an act.
    func begin(_ act: EventAct) throws {
        _ = try database.query("select set_config('waymark.act', \(act.description), true)")
    }

    private func insertEntry(
        _ kind: EventKind, _ subject: String, _ concerned: (host: Host?, concerns: String?), act: EventAct? = nil,
        _ detail: JSONValue
    ) throws {
        let act: SQL = act.map { "\($0.description)" } ?? "default"
        try database.execute(
            """
            insert into audit_entries (
              organization_id, actor_kind, actor_name, action, subject, host, concerns, act, reason, detail)
            values (
              \(organization.uuid), \(author.kind.rawValue), \(author.name), \(kind.rawValue), \(subject),
              \(concerned.host?.description), \(concerned.concerns), \(fragment: act),
              \(fragment: reason(of: kind, detail)), \(detail.text)::json)
            """)
    }

    /// The reason of an entry: the one in the query of the request, or else the one in its body, shortened.
    private func reason(of kind: EventKind, _ detail: JSONValue) -> SQL {
        // The reason of a refusal is Waymark's own.
        guard kind != .trustRefused, let given = detail["reason"]?.string, !given.isEmpty else { return "default" }
        let short = String(String.UnicodeScalarView(given.unicodeScalars.prefix(RequestOrigin.maximumReason)))
        return "coalesce(nullif(current_setting('waymark.reason', true), ''), \(short))"
    }
}

/// The domains that an entry affects.
enum ConcernedDomains {
    /// A single domain.
    case domain(Host)
    /// The domains that have a label at the time of the search.
    case labelled(String)
    /// All domains of the organization.
    case every
    /// The domains of a release.
    case release(ID<Release>)
    /// The domains whose files a request is about.
    case approvalRequest(ID<ApprovalRequest>)

    /// The domains that a schedule publishes.
    init(_ target: Schedule.Target) {
        switch target {
        case .domain(let host): self = .domain(host)
        case .label(let label): self = .labelled(label)
        }
    }

    /// The values for the columns `host` and `concerns` of an entry.
    fileprivate var columns: (host: Host?, concerns: String?) {
        switch self {
        case .domain(let host): (host, nil)
        case .labelled(let label): (nil, "label \(label)")
        case .every: (nil, "every")
        case .release(let id): (nil, "release \(id)")
        case .approvalRequest(let id): (nil, "approval \(id)")
        }
    }
}

extension TenantTransaction {
    /// A query for the values of `concerns` that include a host, without duplicates.
    func concerns(of host: Host) -> SQL {
        """
        select distinct unnest(array_prepend('every', array(select 'label ' || unnest(domains.labels)))) as concerns
        from domains
        where domains.organization_id = \(organization.uuid) and domains.host = \(host.description)
        union all
        select 'release ' || release_domains.release_id::text from release_domains
        where release_domains.organization_id = \(organization.uuid) and release_domains.host = \(host.description)
        union all
        select 'approval ' || files.request_id::text from approval_request_domains as files
        where files.organization_id = \(organization.uuid) and files.host = \(host.description)
        """
    }
}

extension JSONValue {
    /// The detail of a change: these values, and in the member `before` the previous values of those that changed. A
    /// previous value is null if there was none.
    ///
    /// - Parameter old: The values before the change.
    func replacing(_ old: JSONValue) -> JSONValue {
        guard var detail = object, let old = old.object else { return self }
        let new = detail.members.filter { old[$0.name] == nil }.map { ($0.name, JSONValue.null) }
        let before = old.members.filter { $0.value != detail[$0.name] }.map { ($0.name, $0.value) } + new
        if !before.isEmpty { detail["before"] = .object(JSONObject(before)) }
        return .object(detail)
    }

    /// A text for the detail of an entry, or null.
    static func detail(_ text: (some CustomStringConvertible)?) -> JSONValue {
        text.map { .string($0.description) } ?? .null
    }

    /// A number for the detail of an entry, or null.
    static func detail(_ number: Int64?) -> JSONValue { number.map { .int(Int($0)) } ?? .null }

    /// A time for the detail of an entry, as RFC 3339 in UTC to the millisecond, or null.
    static func detail(_ time: Date?) -> JSONValue {
        time.map { .string($0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))) } ?? .null
    }
}

extension Database {
    /// The row of a statement that always returns exactly one row.
    func only(_ statement: SQL) throws -> Row {
        guard let row = try first(statement) else { throw CorruptRow(column: "(a row that was to be returned)") }
        return row
    }
}

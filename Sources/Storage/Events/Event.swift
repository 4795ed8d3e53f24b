public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A change of state: an entry of the audit trail with its position in the organization's list.
public struct Event: Hashable, Sendable {
    /// Its position: 1, 2, 3, … without gaps, in the order in which changes became visible.
    public let position: Int64
    /// When the transaction of the change began, by the database's clock.
    public let at: Date
    /// The kind, the text of an ``EventKind``. A newer Waymark on the same database may write other kinds.
    public let kind: String
    /// The natural key of its subject: a host, an app ID, a Team ID, an address.
    public let subject: String
    /// The host that it, or its schedule, is about; `nil` for anything else.
    public let host: Host?
    /// Who did it.
    public let actor: Author
    /// Further information.
    public let detail: JSONValue

    init(row: Row) throws {
        position = try row.decode("position", as: Int64.self)
        at = try row.decode("at", as: Date.self)
        kind = try row.decode("kind", as: String.self)
        subject = try row.decode("subject", as: String.self)
        host = try row.optional("host") { try Host($0) }
        actor = try row.author(kind: "actor_kind", name: "actor_name")
        detail = try row.json("detail")
    }
}

/// A filter for events.
public struct EventFilter: Hashable, Sendable {
    /// Only these kinds; `nil` for all.
    public var kinds: [EventKind]?
    /// Only events about this host, about a schedule or freeze that concerns it by its name or by a label that it has
    /// now, or about a release that contains it; `nil` for all.
    public var host: Host?

    /// A filter; without arguments, all events.
    public init(kinds: [EventKind]? = nil, host: Host? = nil) {
        self.kinds = kinds
        self.host = host
    }
}

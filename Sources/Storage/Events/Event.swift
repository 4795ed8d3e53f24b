public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A change of state: an entry of the audit trail, at its place in the organization's list.
public struct Event: Hashable, Sendable {
    /// Its place: 1, 2, 3, … without gaps, in the order in which changes could be seen.
    public let position: Int64
    /// When the transaction of the change began, by the database's clock.
    public let at: Date
    /// What it tells of, the text of an ``EventKind``; a newer Waymark beside this one may have written others.
    public let kind: String
    /// The natural key of what it is about: a host, an app ID, a Team ID, an address.
    public let subject: String
    /// The host that it is about, or whose schedule it is about; `nil` for anything else.
    public let host: Host?
    /// Who did it.
    public let actor: Author
    /// What there is to know besides.
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

/// Which events of a list are wanted.
public struct EventFilter: Hashable, Sendable {
    /// Of these kinds; `nil` for all.
    public var kinds: [EventKind]?
    /// About this host, about a schedule or a freeze that concerns it, by its name or by a label that it has now, or about
    /// a release that has it; `nil` for all.
    public var host: Host?

    /// All events, or some.
    public init(kinds: [EventKind]? = nil, host: Host? = nil) {
        self.kinds = kinds
        self.host = host
    }
}

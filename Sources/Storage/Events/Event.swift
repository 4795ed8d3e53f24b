public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A change of state: an entry of the audit trail with its position in the organization's event list.
public struct Event: Hashable, Sendable {
    /// Its position: 1, 2, 3, … without gaps, in the order in which changes were committed.
    public let position: Int64
    /// The start time of the change's transaction, by the database's clock.
    public let at: Date
    /// The kind, as the text of an ``EventKind``. A newer Waymark on the same database may write other kinds.
    public let kind: String
    /// The natural key of its subject, such as a host, an app ID, a Team ID or an address.
    public let subject: String
    /// The host that the event or its schedule is about, or `nil` for other events.
    public let host: Host?
    /// The author of the change.
    public let actor: Author
    /// The bulk act that it is part of, as the text of an ``EventAct``, or `nil`.
    public let act: String?
    /// The reason that was given for the change, or `nil`.
    public let reason: String?
    /// The ID of the request that made the change, or `nil` if Waymark made it itself.
    public let requestID: String?
    /// The address that the request came from, or `nil` like ``requestID``.
    public let address: String?
    /// Further information. For a change, its member `before` has the previous values of what changed.
    public let detail: JSONValue

    init(row: Row) throws {
        position = try row.decode("position", as: Int64.self)
        at = try row.decode("at", as: Date.self)
        kind = try row.decode("kind", as: String.self)
        subject = try row.decode("subject", as: String.self)
        host = try row.optional("host") { try Host($0) }
        actor = try row.author(kind: "actor_kind", name: "actor_name")
        act = try row.decode("act", as: String?.self)
        reason = try row.decode("reason", as: String?.self)
        requestID = try row.decode("request_id", as: String?.self)
        address = try row.decode("address", as: String?.self)
        detail = Self.withAPINames(try row.json("detail"))
    }

    /// Returns the detail with the API's names. Stored entries keep the names of version 0.2, because entries never
    /// change.
    private static func withAPINames(_ detail: JSONValue) -> JSONValue {
        guard let stored = detail.object, stored["takesBack"] != nil else { return detail }
        return .object(JSONObject(stored.members.map { ($0.name == "takesBack" ? "rollsBack" : $0.name, $0.value) }))
    }
}

/// A filter for events.
public struct EventFilter: Hashable, Sendable {
    /// Only events of these kinds, or `nil` for all kinds.
    public var kinds: [EventKind]?
    /// Only events about this host, or `nil` for all events. This includes events about releases that contain the host,
    /// and about schedules and freezes that apply to it by name or by one of its current labels.
    public var host: Host?
    /// Only events by authors with this name, ignoring case, or `nil` for all authors.
    public var actor: String?
    /// Only events at this time or later, or `nil` for all. The result is exact to about a second, because events of
    /// transactions that run at the same time can have positions in a different order than ``Event/at``.
    public var since: Date?
    /// Only events before this time, or `nil` for all.
    public var until: Date?
    /// Only events of this act, or `nil` for all events.
    public var act: EventAct?
    /// Only events that the request with this ID made, or `nil` for all events.
    public var request: String?
    /// Only the event at this position, or `nil` for all events.
    public var position: Int64?
    /// Whether to leave out the parts of acts. A part is an event of an act that is not about the act itself.
    public var withoutParts: Bool

    /// Creates a filter. Without arguments, it includes all events.
    public init(
        kinds: [EventKind]? = nil, host: Host? = nil, actor: String? = nil, since: Date? = nil, until: Date? = nil,
        act: EventAct? = nil, request: String? = nil, position: Int64? = nil, withoutParts: Bool = false
    ) {
        self.kinds = kinds
        self.host = host
        self.actor = actor
        self.since = since
        self.until = until
        self.act = act
        self.request = request
        self.position = position
        self.withoutParts = withoutParts
    }
}

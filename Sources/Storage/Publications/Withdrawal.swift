public import AASA
public import FoundationEssentials
import Postgres

/// A withdrawal: takes a host out of service. The host is served as before until the grace period ends.
public struct Withdrawal: Hashable, Sendable {
    /// The state of a withdrawal. While pending, it can be undone; the others are final.
    public enum State: String, CaseIterable, Sendable {
        /// It waits for the end of the grace period.
        case pending
        /// Nothing is served on the host any more.
        case withdrawn
        /// A user undid it within the grace period.
        case cancelled
        /// It failed at every attempt. The cause says why.
        case failed
    }

    /// The withdrawal's ID.
    public let id: ID<Withdrawal>
    /// The host of a domain or of an alias.
    public let host: Host
    /// The state.
    public let state: State
    /// The reason.
    public let reason: String
    /// The requester.
    public let requester: Author
    /// When it was requested.
    public let createdAt: Date
    /// When the grace period ends.
    public let dueAt: Date
    /// When it ended.
    public let endedAt: Date?
    /// The activation that it made.
    public let activation: Int64?
    /// Why it ended, unless it is `withdrawn`. While it is pending: why the last attempt failed.
    public let cause: String?

    init(row: Row) throws {
        id = try row.id("withdrawal_id")
        host = try row.host("withdrawal_host")
        state = try row.value("withdrawal_state", State.init(rawValue:))
        reason = try row.decode("withdrawal_reason", as: String.self)
        requester = try row.author(kind: "withdrawal_requester_kind", name: "withdrawal_requester_name")
        createdAt = try row.decode("withdrawal_created_at", as: Date.self)
        dueAt = try row.decode("withdrawal_due_at", as: Date.self)
        endedAt = try row.decode("withdrawal_ended_at", as: Date?.self)
        activation = try row.decode("withdrawal_activation", as: Int64?.self)
        cause = try row.decode("withdrawal_cause", as: String?.self)
    }

    /// The columns have names of their own, so that they can be selected together with those of a domain.
    static let columns: SQL = """
        withdrawals.id as withdrawal_id, withdrawals.host as withdrawal_host, withdrawals.state as withdrawal_state,
        withdrawals.reason as withdrawal_reason, withdrawals.requester_kind as withdrawal_requester_kind,
        withdrawals.requester_name as withdrawal_requester_name, withdrawals.created_at as withdrawal_created_at,
        withdrawals.due_at as withdrawal_due_at, withdrawals.ended_at as withdrawal_ended_at,
        withdrawals.activation as withdrawal_activation, withdrawals.cause as withdrawal_cause
        """
}

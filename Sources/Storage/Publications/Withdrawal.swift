public import AASA
public import FoundationEssentials
import Postgres

/// A withdrawal: it takes a host out of service after a grace period.
public struct Withdrawal: Hashable, Sendable {
    /// The state of a withdrawal. A pending withdrawal can be undone; the other states are final.
    public enum State: String, CaseIterable, Sendable {
        /// The grace period has not ended yet.
        case pending
        /// The grace period has ended, and the host is out of service.
        case withdrawn
        /// A user undid it within the grace period.
        case cancelled
        /// All attempts failed, so the host is still in service. ``Withdrawal/cause`` has the reason.
        case failed
    }

    /// The withdrawal's ID.
    public let id: ID<Withdrawal>
    /// The host to take out of service, of a domain or an alias.
    public let host: Host
    /// The state of the withdrawal.
    public let state: State
    /// The requester's reason for the withdrawal.
    public let reason: String
    /// The author who requested the withdrawal.
    public let requester: Author
    /// The time of the request.
    public let createdAt: Date
    /// The end of the grace period.
    public let dueAt: Date
    /// The time when the withdrawal reached a final state, or `nil` while it is pending.
    public let endedAt: Date?
    /// The number of the activation that took the host out of service. `nil` unless the state is `withdrawn`.
    public let activation: Int64?
    /// The reason why the withdrawal was cancelled or failed. While it is pending, the reason why the last attempt
    /// failed.
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

    /// The columns of a withdrawal. Their names differ from those of a domain, so that a query can select both.
    static let columns: SQL = """
        withdrawals.id as withdrawal_id, withdrawals.host as withdrawal_host, withdrawals.state as withdrawal_state,
        withdrawals.reason as withdrawal_reason, withdrawals.requester_kind as withdrawal_requester_kind,
        withdrawals.requester_name as withdrawal_requester_name, withdrawals.created_at as withdrawal_created_at,
        withdrawals.due_at as withdrawal_due_at, withdrawals.ended_at as withdrawal_ended_at,
        withdrawals.activation as withdrawal_activation, withdrawals.cause as withdrawal_cause
        """
}

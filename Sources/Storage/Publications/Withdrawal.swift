public import AASA
public import FoundationEssentials
import Postgres

/// The act of taking a host out of service. It is served as before until the grace is over.
public struct Withdrawal: Hashable, Sendable {
    /// Where a withdrawal stands: one state, in which it can be undone, and three endings.
    public enum State: String, CaseIterable, Sendable {
        /// Waits for the end of its grace.
        case pending
        /// Nothing is served on the host any more.
        case withdrawn
        /// Somebody undid it within its grace.
        case cancelled
        /// It could not be carried out, however often it was tried; the cause says why.
        case failed
    }

    /// The withdrawal's ID.
    public let id: ID<Withdrawal>
    /// The domain, or the alias.
    public let host: Host
    /// Where it stands.
    public let state: State
    /// Why it was asked for.
    public let reason: String
    /// Who asked for it.
    public let requester: Author
    /// When it was asked for.
    public let createdAt: Date
    /// When the grace is over.
    public let dueAt: Date
    /// When it ended.
    public let endedAt: Date?
    /// The number of the change that it made.
    public let activation: Int64?
    /// Why it ended otherwise than `withdrawn`; while it is pending, why the last attempt failed.
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

    /// Under names of their own, so that they can stand beside those of a domain.
    static let columns: SQL = """
        withdrawals.id as withdrawal_id, withdrawals.host as withdrawal_host, withdrawals.state as withdrawal_state,
        withdrawals.reason as withdrawal_reason, withdrawals.requester_kind as withdrawal_requester_kind,
        withdrawals.requester_name as withdrawal_requester_name, withdrawals.created_at as withdrawal_created_at,
        withdrawals.due_at as withdrawal_due_at, withdrawals.ended_at as withdrawal_ended_at,
        withdrawals.activation as withdrawal_activation, withdrawals.cause as withdrawal_cause
        """
}

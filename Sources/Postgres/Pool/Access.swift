import FoundationEssentials
import Timing

/// The rights of an access: its organization, and whether it may write.
struct Access: Sendable {
    var organization: UUID?
    var mayWrite: Bool
    /// Whether statements are sent without a transaction and without settings. A few statements require this.
    var isBare = false

    /// Whether each statement is its own transaction, sent with its settings in one pipeline. Otherwise the access runs
    /// between `begin` and `commit`.
    var isStatementWise: Bool { isBare || !mayWrite }

    /// Opens the transaction with an explicit isolation level, regardless of the role's default.
    static let begin = "begin isolation level read committed"

    /// Sets the values that the following statements need, until the end of the transaction.
    ///
    /// Without an organization, `waymark.organization` is set to the empty string. A connection that was used before
    /// has the empty string too, so the policies (`nullif(current_setting(…, true), '')`) need to handle only one case.
    func prologue(limits: Limits?) -> SQL {
        let organization = organization?.uuidString.lowercased() ?? ""
        var statement: SQL = "select set_config('waymark.organization', \(organization), true)"
        if isStatementWise {
            // After this is set, the transaction cannot become writable again.
            statement.append(text: ", set_config('transaction_read_only', 'on', true)")
        }
        if let limits { statement.append(fragment: limits.settings) }
        return statement
    }

    /// Limits for this transaction, if there are none for the session.
    struct Limits: Sendable {
        var statementTimeout: Duration
        var lockTimeout: Duration
        var idleInTransactionTimeout: Duration

        fileprivate var settings: SQL {
            """
            , set_config('jit', 'off', true)\
            , set_config('statement_timeout', \(String(statementTimeout.wholeMilliseconds)), true)\
            , set_config('lock_timeout', \(String(lockTimeout.wholeMilliseconds)), true)\
            , set_config('idle_in_transaction_session_timeout', \
            \(String(idleInTransactionTimeout.wholeMilliseconds)), true)
            """
        }
    }
}

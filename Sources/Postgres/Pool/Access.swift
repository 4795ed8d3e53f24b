import FoundationEssentials
import Timing

/// What an access may do, and for whom.
struct Access: Sendable {
    var organization: UUID?
    var mayWrite: Bool
    /// Whether statements are sent without transaction and settings: for the few that refuse both.
    var isBare = false

    /// Whether statements stand alone, each with its settings in one pipeline, rather than between begin and commit.
    var isStatementWise: Bool { isBare || !mayWrite }

    /// Opens the transaction, whatever the role's default isolation is.
    static let begin = "begin isolation level read committed"

    /// What must be in force for the statement behind it, until the end of the transaction.
    ///
    /// `waymark.organization` is set even without an organization, to the empty string: that is what a connection used
    /// before shows anyway, so that policies (`nullif(current_setting(…, true), '')`) meet one case only.
    func prologue(limits: Limits?) -> SQL {
        let organization = organization?.uuidString.lowercased() ?? ""
        var statement: SQL = "select set_config('waymark.organization', \(organization), true)"
        if isStatementWise {
            // Once set, the transaction cannot be made writable again.
            statement.append(text: ", set_config('transaction_read_only', 'on', true)")
        }
        if let limits { statement.append(fragment: limits.settings) }
        return statement
    }

    /// Limits that hold for this transaction rather than for the session.
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

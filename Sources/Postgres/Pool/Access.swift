import FoundationEssentials
import Timing

/// How much the statements of one access see of what others do meanwhile
/// (https://www.postgresql.org/docs/current/transaction-iso.html).
public enum Isolation: String, Sendable, Hashable {
    /// Each statement sees what was committed before it began. PostgreSQL's own default.
    case readCommitted = "read committed"
    /// All statements see one moment.
    case repeatableRead = "repeatable read"
    /// As if accesses ran one after the other; may fail with SQLSTATE 40001, to be tried again.
    case serializable = "serializable"
}

/// What an access may do, and for whom.
struct Access: Sendable {
    var organization: UUID?
    var mayWrite: Bool
    var isolation: Isolation
    /// Whether statements are sent without transaction and settings: for the few that refuse both.
    var isBare = false

    /// Whether statements stand alone, each with its settings in one pipeline, rather than between begin and commit.
    var isStatementWise: Bool { isBare || (!mayWrite && isolation == .readCommitted) }

    /// Opens the transaction.
    var begin: String {
        "begin isolation level \(isolation.rawValue)" + (mayWrite ? "" : " read only")
    }

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

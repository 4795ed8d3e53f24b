import FoundationEssentials
import Timing

/// The rights of an access: its organization, and whether it may write.
struct Access: Sendable {
    var organization: UUID?
    var mayWrite: Bool
    /// True if statements are sent without a transaction and without settings. A few statements require this.
    var isBare = false
    /// Further settings of the transaction.
    var settings: [TransactionSetting] = []

    /// True if each statement is its own transaction, sent with its settings in one pipeline. If false, the access runs
    /// between `begin` and `commit`.
    var isStatementWise: Bool { isBare || !mayWrite }

    /// Opens the transaction with an explicit isolation level, regardless of the role's default.
    static let begin = "begin isolation level read committed"

    /// Sets the organization and the limits for the current transaction.
    ///
    /// Without an organization, `waymark.organization` is set to the empty string. A reused connection also has the
    /// empty string, so the policies (`nullif(current_setting(…, true), '')`) need to handle only one case.
    func prologue(limits: Limits?) -> SQL {
        let organization = organization?.uuidString.lowercased() ?? ""
        var statement: SQL = "select set_config('waymark.organization', \(organization), true)"
        if isStatementWise {
            // After this is set, the transaction cannot become writable again.
            statement.append(text: ", set_config('transaction_read_only', 'on', true)")
        }
        if let limits { statement.append(fragment: limits.settings) }
        for setting in settings {
            statement.append(fragment: ", set_config(\(setting.name), \(setting.value), true)")
        }
        return statement
    }

    /// Time limits that apply to one transaction only.
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

/// A setting that a transaction makes for itself, such as `waymark.reason`.
public struct TransactionSetting: Hashable, Sendable {
    /// The name, with a period.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a setting.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

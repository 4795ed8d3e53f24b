import Postgres

/// A problem of a domain that a user should fix, from the worst to the least important.
public enum DomainProblem: String, CaseIterable, Sendable {
    /// Any of the problems below.
    case any
    /// The last publication was suspended or failed, and no version has gone live since.
    case publication
    /// A withdrawal of the host itself is pending.
    case withdrawal
    /// Lint found errors in the file of a draft that was edited at least once.
    case errors
    /// Tests fail for the draft's file.
    case tests
    /// The host is not verified.
    case unverified

    /// The condition on `domain_states`, which is also that of the problem's index.
    var condition: SQL {
        switch self {
        case .any: "problem < 9"
        case .publication: "stopped is not null"
        case .withdrawal: "is_leaving"
        case .errors: "not is_alias and not is_untouched and errors > 0"
        case .tests: "not is_alias and failed > 0"
        case .unverified: "not is_claimed"
        }
    }
}

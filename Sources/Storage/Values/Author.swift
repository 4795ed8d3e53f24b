/// The author of a change, for the audit trail, versions and publications. The name is the one at the time of the
/// change.
public struct Author: Hashable, Sendable {
    /// The kind of author.
    public enum Kind: String, Sendable {
        /// A signed-in user.
        case user
        /// An API token.
        case token
        /// An operator on the command line of the installation.
        case operatorAtCommandLine = "operator"
        /// Waymark itself.
        case system
    }

    /// The kind of author.
    public let kind: Kind
    /// The user's e-mail address, the token's name, or the operator's login name.
    public let name: String

    /// Creates an author.
    public init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Waymark itself.
    public static let system = Author(kind: .system, name: "waymark")
}

extension Author {
    /// The author in one text: kind, space and name.
    var record: String { "\(kind.rawValue) \(name)" }

    /// Reads the author from a ``record``.
    init?(record: String) {
        let parts = record.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
        self.init(kind: kind, name: parts[1])
    }
}

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

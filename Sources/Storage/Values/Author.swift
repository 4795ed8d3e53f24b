/// Who did something, as the audit trail, versions and publications record it. The name is kept as it was at the time.
public struct Author: Hashable, Sendable {
    /// What kind of actor it is.
    public enum Kind: String, Sendable {
        /// A signed-in person.
        case user
        /// An API token.
        case token
        /// Somebody at the command line of the installation.
        case operatorAtCommandLine = "operator"
        /// Waymark itself.
        case system
    }

    /// The kind of actor.
    public let kind: Kind
    /// The user's e-mail address, the token's name, or the operator's login name.
    public let name: String

    /// An author of a kind with a name.
    public init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Waymark itself.
    public static let system = Author(kind: .system, name: "waymark")
}

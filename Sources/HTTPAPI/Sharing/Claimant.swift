import FoundationEssentials
import Storage

/// The owner and the caller of a request. Owners share the slots fairly, and the callers of an owner share its slots
/// fairly.
struct Claimant: Hashable, Sendable {
    /// The owner of a share.
    enum Owner: Hashable, Sendable {
        /// All clients without a credential, together.
        case visitors
        /// All sign-ins together. They are not part of `visitors`, so visitors cannot block them.
        case arrivals
        /// All exchanges of tokens of CI systems together.
        case exchanges
        /// All callers in an organization.
        case organization(ID<Organization>)
        /// A user whose call does not concern an organization.
        case person(ID<User>)
        /// The consumers of the snapshot. All of them use the same credential.
        case consumers

        /// True if the clients of this owner are not identified. They share a small part of the slots.
        var areUnknown: Bool { [.visitors, .arrivals, .exchanges].contains(self) }
    }

    let owner: Owner
    /// The token or user, or `nil` if the owner's callers are not distinguished.
    var caller: UUID?

    static let visitor = Claimant(owner: .visitors)
    static let arrival = Claimant(owner: .arrivals)
    static let exchange = Claimant(owner: .exchanges)
    static let consumer = Claimant(owner: .consumers)

    init(owner: Owner, caller: UUID? = nil) {
        self.owner = owner
        self.caller = caller
    }

    /// Creates the claimant for a caller, in an organization if the call concerns one.
    init(_ caller: Caller, in organization: Organization? = nil) {
        switch caller {
        case .token(let credential):
            self.init(owner: .organization(organization?.id ?? credential.organization.id), caller: credential.id.uuid)
        case .user(let session, _):
            self.init(
                owner: organization.map { .organization($0.id) } ?? .person(session.user.id),
                caller: session.user.id.uuid)
        }
    }
}

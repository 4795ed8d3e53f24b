import FoundationEssentials
import Storage

/// The owner and the caller of a request, for fair sharing. Owners share fairly, and so do the callers of each owner.
struct Claimant: Hashable, Sendable {
    /// The owner of a share.
    enum Owner: Hashable, Sendable {
        /// All clients without a credential, together.
        case visitors
        /// All sign-ins, together, so that visitors cannot block them.
        case arrivals
        /// All callers in an organization.
        case organization(ID<Organization>)
        /// A user whose call does not concern an organization.
        case person(ID<User>)
        /// The consumers of the snapshot, which share one credential.
        case consumers

        /// Whether the clients are not identified. These clients share one small part.
        var areUnknown: Bool { self == .visitors || self == .arrivals }
    }

    let owner: Owner
    /// The token or the user, or `nil` if the owner has no separate callers.
    var caller: UUID?

    static let visitor = Claimant(owner: .visitors)
    static let arrival = Claimant(owner: .arrivals)
    static let consumer = Claimant(owner: .consumers)

    init(owner: Owner, caller: UUID? = nil) {
        self.owner = owner
        self.caller = caller
    }

    /// Creates the claimant for a caller, with the organization if the call concerns one.
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

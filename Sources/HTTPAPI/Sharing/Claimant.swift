import FoundationEssentials
import Storage

/// For whom a request is worked on: what is shared fairly is shared between owners, and between the callers of each.
struct Claimant: Hashable, Sendable {
    /// Whose share it counts into.
    enum Owner: Hashable, Sendable {
        /// All who have not signed in, together.
        case visitors
        /// All who are signing in, together: no other visitor keeps them out.
        case arrivals
        /// Everybody in an organization.
        case organization(ID<Organization>)
        /// A person whose call is about no organization.
        case person(ID<User>)
        /// The consumers of the snapshot, who all show one credential.
        case consumers

        /// Nobody knows who they are: all of them share one small part.
        var areUnknown: Bool { self == .visitors || self == .arrivals }
    }

    let owner: Owner
    /// The token or the person; `nil` where the owner is the only one.
    var caller: UUID?

    static let visitor = Claimant(owner: .visitors)
    static let arrival = Claimant(owner: .arrivals)
    static let consumer = Claimant(owner: .consumers)

    init(owner: Owner, caller: UUID? = nil) {
        self.owner = owner
        self.caller = caller
    }

    /// A caller, in an organization where the call is about one.
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

import Storage

/// Who has shown a credential.
enum Caller: Sendable {
    /// A token, which speaks for its organization.
    case token(Credential)
    /// A signed-in user, with the secret of the session.
    case user(Session, secret: Secret)

    /// How the audit trail names the caller.
    var author: Author {
        switch self {
        case .token(let credential): Author(kind: .token, name: credential.name)
        case .user(let session, _): Author(kind: .user, name: session.user.email)
        }
    }

    /// What the caller may do, by organization.
    var memberships: [Membership] {
        switch self {
        case .token(let credential): [Membership(organization: credential.organization, role: credential.role)]
        case .user(let session, _): session.memberships
        }
    }
}

/// A caller in the organization that a call is about.
struct Member: Sendable {
    let organization: Organization
    let role: Role
    let author: Author
}

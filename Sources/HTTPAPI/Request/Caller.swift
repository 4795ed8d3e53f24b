import Storage

/// The holder of a valid credential.
enum Caller: Sendable {
    /// A token. It acts on behalf of its organization.
    case token(Credential)
    /// A signed-in user, with the session's secret.
    case user(Session, secret: Secret)

    /// The caller's name in the audit trail.
    var author: Author {
        switch self {
        case .token(let credential): Author(kind: .token, name: credential.name)
        case .user(let session, _): Author(kind: .user, name: session.user.email)
        }
    }

    /// The signed-in user, or `nil` for a token.
    var user: User? {
        if case .user(let session, _) = self { session.user } else { nil }
    }

    /// Whether the user has just confirmed who they are. False for a token.
    var hasConfirmed: Bool {
        if case .user(let session, _) = self { session.confirmedSecondsLeft > 0 } else { false }
    }

    /// The caller's role in each organization.
    var memberships: [Membership] {
        switch self {
        case .token(let credential): [Membership(organization: credential.organization, credential.grant)]
        case .user(let session, _): session.memberships
        }
    }
}

/// A caller, as a member of the call's organization.
struct Member: Sendable {
    let organization: Organization
    let grant: Grant
    let author: Author
    /// The signed-in user, or `nil` for a token.
    let user: User?
    /// Whether the user has just confirmed who they are. False for a token.
    let hasConfirmed: Bool

    /// The member's role. It counts only for the domains that the grant reaches.
    var role: Role { grant.role }

    /// Checks that the role counts for the entire organization. Throws `roleIsLimited`.
    func requireUnlimited() throws {
        guard !grant.isLimited else {
            throw StorageError.roleIsLimited(to: grant.labels, outside: "the entire organization")
        }
    }
}

public import FoundationEssentials
import Postgres
import StrictJSON

/// An invitation to an organization, without its code.
public struct Invitation: Hashable, Sendable {
    /// The state of an invitation.
    public enum State: String, Sendable {
        /// It can be accepted.
        case pending
        /// It was accepted.
        case accepted
        /// It was withdrawn.
        case withdrawn
        /// It was not accepted in time.
        case expired
    }

    /// The invitation's ID.
    public let id: ID<Invitation>
    /// The invited e-mail address.
    public let email: String
    /// The name of the invited person, or `nil` if it was not given.
    public let name: String?
    /// The role that the person gets, and its limit.
    public let grant: Grant
    /// The name of the member who invites.
    public let inviter: String
    /// The creation time.
    public let createdAt: Date
    /// The time until which it can be accepted.
    public let expiresAt: Date
    /// The state.
    public let state: State
    /// What became of the mail with the link, or `nil` if the inviter got the link to hand over.
    public let mail: Mail?

    /// What became of an invitation's mail.
    public struct Mail: Hashable, Sendable {
        /// The state of an invitation's mail.
        public enum State: String, Sendable {
            /// It will be sent, or sent again after a failure.
            case queued
            /// The mail server has accepted it.
            case sent
            /// It was given up.
            case failed
        }

        /// The state.
        public let state: State
        /// Why the last attempt failed, or `nil` if none did.
        public let cause: String?
    }

    fileprivate static let columns: SQL = """
        invitations.id as invitation_id, invitations.email as invitation_email, invitations.name as invitation_name,
        invitations.role as invitation_role, invitations.labels as invitation_labels, inviter_name,
        invitations.created_at as invited_at,
        invitations.expires_at as invitation_ends_at, mail_state, mail_cause,
        case when accepted_at is not null then 'accepted' when withdrawn_at < invitations.expires_at then 'withdrawn'
          when invitations.expires_at <= clock_timestamp() then 'expired' else 'pending' end as invitation_state
        """

    fileprivate static let isPending: SQL = """
        accepted_at is null and withdrawn_at is null and expires_at > clock_timestamp()
        """

    /// A condition: the inviter, if it is not the operator, can still give the role.
    fileprivate static let isBacked: SQL = """
        (inviter_id is null or exists (
          select from memberships
          where memberships.organization_id = invitations.organization_id
            and memberships.user_id = invitations.inviter_id
            and (memberships.role = 'owner' or memberships.role = 'admin' and invitations.role <> 'owner')))
        """

    /// The role that the person gets.
    public var role: Role { grant.role }

    fileprivate init(row: Row) throws {
        id = try row.id("invitation_id")
        email = try row.decode("invitation_email", as: String.self)
        name = try row.decode("invitation_name", as: String?.self)
        grant = try Grant(row: row, role: "invitation_role", labels: "invitation_labels")
        inviter = try row.decode("inviter_name", as: String.self)
        createdAt = try row.decode("invited_at", as: Date.self)
        expiresAt = try row.decode("invitation_ends_at", as: Date.self)
        state = try row.value("invitation_state", State.init(rawValue:))
        mail = try row.decode("mail_state", as: String?.self).map { text in
            guard let state = Mail.State(rawValue: text) else { throw CorruptRow(column: "mail_state") }
            return Mail(state: state, cause: try row.decode("mail_cause", as: String?.self))
        }
    }
}

/// How an invited person gets the link.
public enum InvitationDelivery: String, CaseIterable, Sendable {
    /// By mail. The inviter does not see the link. So the person who accepts the invitation owns the address.
    case mail
    /// The inviter hands the link over.
    case link
}

extension InvitationDelivery {
    fileprivate var firstMailState: String? { self == .mail ? "queued" : nil }
}

/// A new or renewed invitation, with its code.
public struct NewInvitation: Sendable {
    /// The invitation.
    public let invitation: Invitation
    /// The code of the link. It is not stored, so this is the only time that it is known. `nil` if it is sent by mail.
    public let code: Secret?
}

/// An invitation as the holder of its code sees it.
public struct OpenInvitation: Hashable, Sendable {
    /// The invitation. It is pending.
    public let invitation: Invitation
    /// The organization.
    public let organization: Organization
    /// Whether a user with this address exists.
    public let hasAccount: Bool
}

/// The person who accepts an invitation.
public enum Invitee: Sendable {
    /// A new user, with the hash of the chosen password.
    case new(name: String, passwordHash: String)
    /// An existing user.
    case existing(User)
    /// A new user whom the organization's provider has identified.
    case identified(ProvenIdentity)
}

/// The reason why an invitation cannot be created, changed or accepted.
public enum InvitationError: Error, Hashable, Sendable {
    /// The code is unknown, or the invitation is no longer pending, or its inviter can no longer give the role.
    case unknown
    /// An invitation of this address is pending already.
    case isPending(email: String)
    /// The invitation is no longer pending.
    case ended(Invitation.State)
    /// The invited address belongs to an existing user, who must sign in.
    case signInRequired(email: String)
    /// The signed-in user has another address than the invited one.
    case otherUser(email: String)
    /// The organization has ``TenantTransaction/maximumPendingInvitations``.
    case tooMany
}

extension SystemTransaction {
    /// The pending invitation with this code, whose inviter can still give the role. Throws
    /// ``InvitationError/unknown``.
    public func openInvitation(_ code: Secret) throws -> OpenInvitation {
        let row = try database.first(
            """
            select \(fragment: Invitation.columns), \(fragment: Organization.columns),
              exists (select from users where lower(users.email) = lower(invitations.email)) as has_account
            from invitations
            join organizations on organizations.id = invitations.organization_id
            where code_sha256 = \(code.sha256) and \(fragment: Invitation.isBacked)
            """)
        guard let row, case let invitation = try Invitation(row: row), invitation.state == .pending else {
            throw InvitationError.unknown
        }
        return OpenInvitation(
            invitation: invitation, organization: try Organization(row: row),
            hasAccount: try row.decode("has_account", as: Bool.self))
    }

    /// Gives a pending invitation a new code for its mail. Returns `nil` if it has ended, if the inviter can no longer
    /// give the role, or if the inviter has taken the link instead.
    func recodeMailedInvitation(_ id: ID<Invitation>) throws -> (OpenInvitation, code: Secret)? {
        let code = Secret(prefix: "")
        let changed = try database.execute(
            """
            update invitations set code_sha256 = \(code.sha256)
            where id = \(id.uuid) and mail_state = 'queued' and \(fragment: Invitation.isPending)
              and \(fragment: Invitation.isBacked)
            """)
        guard changed == 1 else {
            try setMailState(of: id, "failed", cause: "The invitation has ended, or its inviter can no longer invite.")
            return nil
        }
        return (try openInvitation(code), code)
    }

    /// Records what became of an invitation's mail, unless the inviter has taken the link instead.
    func setMailState(of id: ID<Invitation>, _ state: String, cause: String?) throws {
        try database.execute(
            """
            update invitations set mail_state = \(state), mail_cause = \(cause)
            where id = \(id.uuid) and mail_state is not null
            """)
    }
}

extension TenantTransaction {
    /// The maximum number of pending invitations of an organization.
    public static let maximumPendingInvitations = 1_000

    /// A page of the organization's invitations, newest first. The page's key is the ID of the last one on the previous
    /// page.
    public func invitations(_ page: Page) throws -> Listing<Invitation> {
        return try list(page, key: \.id.description, reading: { try $0.map(Invitation.init(row:)) }) { page in
            """
            select \(fragment: Invitation.columns) from invitations
            where organization_id = \(organization.uuid)
              \(fragment: try page.newestFirst(of: "invitations", Invitation.self, in: organization))
            """
        }
    }

    /// The invitation with this ID. Throws `notFound`.
    public func invitation(_ id: ID<Invitation>) throws -> Invitation {
        let row = try database.first(
            """
            select \(fragment: Invitation.columns) from invitations
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "invitation", key: id.description) }
        return try Invitation(row: row)
    }

    /// Invites a person. Throws ``MembershipError/isMember(email:role:)`` and ``InvitationError``.
    ///
    /// - Parameters:
    ///   - inviter: The member who invites, or `nil` for the operator. If the member later loses the right to give the
    ///     role, the invitation cannot be accepted.
    ///   - labels: The labels that the role is limited to.
    ///   - seconds: The number of seconds until the invitation expires.
    ///   - delivery: How the person gets the link.
    public func invite(
        email: String, name: String?, role: Role, labels: [String] = [], by inviter: User?, seconds: Int,
        delivery: InvitationDelivery = .link
    ) throws -> NewInvitation {
        try lockMembers()
        if let member = try member(email: email) {
            throw MembershipError.isMember(email: member.user.email, role: member.role)
        }
        // Expired ones no longer count as pending for the unique index.
        try database.execute(
            """
            update invitations set withdrawn_at = expires_at
            where organization_id = \(organization.uuid) and accepted_at is null and withdrawn_at is null
              and expires_at <= clock_timestamp()
            """)
        let pending = try database.query(
            """
            select lower(email) = lower(\(email)) as is_same from invitations
            where organization_id = \(organization.uuid) and accepted_at is null and withdrawn_at is null
            """)
        if try pending.contains(where: { try $0.decode("is_same", as: Bool.self) }) {
            throw InvitationError.isPending(email: email)
        }
        guard pending.count < Self.maximumPendingInvitations else { throw InvitationError.tooMany }
        let code = Secret(prefix: "")
        let row = try database.only(
            """
            insert into invitations (
              id, organization_id, email, name, role, labels, code_sha256, inviter_id, inviter_name, expires_at,
              mail_state)
            values (
              \(UUID()), \(organization.uuid), \(email), \(name), \(role.rawValue),
              \(Grant(role, labels: labels).labels), \(code.sha256), \(inviter?.id.uuid),
              \(inviter?.name ?? author.name), clock_timestamp() + make_interval(secs => \(seconds)::integer),
              \(delivery.firstMailState))
            returning \(fragment: Invitation.columns)
            """)
        let invitation = try Invitation(row: row)
        try audit(.invitationCreated, invitation)
        return try deliver(invitation, code, by: delivery)
    }

    private func deliver(
        _ invitation: Invitation, _ code: Secret, by delivery: InvitationDelivery
    ) throws -> NewInvitation {
        switch delivery {
        case .link:
            try removeMail(of: invitation.id)
            return NewInvitation(invitation: invitation, code: code)
        case .mail:
            try mailInvitation(invitation.id, to: invitation.email)
            return NewInvitation(invitation: invitation, code: nil)
        }
    }

    /// Gives a pending invitation a new code and the same time again. The old code ends. Throws `notFound`,
    /// ``InvitationError/ended(_:)`` and ``MailLimit``.
    public func renewInvitation(
        _ id: ID<Invitation>, by inviter: User? = nil, delivery: InvitationDelivery = .link
    ) throws -> NewInvitation {
        let code = Secret(prefix: "")
        let row = try database.first(
            """
            update invitations
            set code_sha256 = \(code.sha256), expires_at = clock_timestamp() + (expires_at - renewed_at),
              renewed_at = clock_timestamp(), mail_state = \(delivery.firstMailState), mail_cause = null,
              inviter_id = \(inviter?.id.uuid), inviter_name = \(inviter?.name ?? author.name)
            where organization_id = \(organization.uuid) and id = \(id.uuid) and \(fragment: Invitation.isPending)
            returning \(fragment: Invitation.columns)
            """)
        guard let row else { throw InvitationError.ended(try invitation(id).state) }
        let invitation = try Invitation(row: row)
        try audit(.invitationRenewed, invitation)
        return try deliver(invitation, code, by: delivery)
    }

    /// Withdraws a pending invitation. Throws `notFound` and ``InvitationError/ended(_:)``.
    public func withdrawInvitation(_ id: ID<Invitation>) throws -> Invitation {
        let row = try database.first(
            """
            update invitations set withdrawn_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(id.uuid) and \(fragment: Invitation.isPending)
            returning \(fragment: Invitation.columns)
            """)
        guard let row else { throw InvitationError.ended(try invitation(id).state) }
        let invitation = try Invitation(row: row)
        try removeMail(of: id)
        try audit(.invitationWithdrawn, invitation)
        return invitation
    }

    private func createUser(of invitation: Invitation, name: String, passwordHash: String?) throws -> User {
        guard try system.user(email: invitation.email) == nil else {
            throw InvitationError.signInRequired(email: invitation.email)
        }
        return try system.createUser(
            email: invitation.email, name: name, passwordHash: passwordHash, isVerified: invitation.mail != nil)
    }

    /// Accepts a pending invitation: the person becomes a member. A new user's address counts as verified only if the
    /// code was sent by mail. Throws ``InvitationError`` and ``MembershipError/isMember(email:role:)``.
    public func acceptInvitation(_ code: Secret, by invitee: Invitee) throws -> User {
        try acceptInvitation(digest: code.sha256, by: invitee)
    }

    /// Accepts a pending invitation, as ``acceptInvitation(_:by:)``.
    ///
    /// - Parameter digest: The SHA-256 of the code.
    func acceptInvitation(digest: [UInt8], by invitee: Invitee) throws -> User {
        try lockMembers()
        let row = try database.first(
            """
            update invitations set accepted_at = clock_timestamp()
            where organization_id = \(organization.uuid) and code_sha256 = \(digest) and \(fragment: Invitation.isPending)
              and \(fragment: Invitation.isBacked)
            returning \(fragment: Invitation.columns)
            """)
        guard let row else { throw InvitationError.unknown }
        let invitation = try Invitation(row: row)
        if let member = try member(email: invitation.email) {
            throw MembershipError.isMember(email: member.user.email, role: member.role)
        }
        let user: User
        switch invitee {
        case .new(let name, let hash): user = try createUser(of: invitation, name: name, passwordHash: hash)
        case .identified(let identity):
            let name = invitation.name ?? identity.name ?? invitation.email
            user = try createUser(of: invitation, name: name, passwordHash: nil)
        case .existing(let known):
            guard known.email.lowercased() == invitation.email.lowercased() else {
                throw InvitationError.otherUser(email: invitation.email)
            }
            user = known
        }
        try setRole(invitation.role, labels: invitation.grant.labels, of: user)
        try audit(.invitationAccepted, invitation)
        return user
    }

    private func audit(_ kind: EventKind, _ invitation: Invitation) throws {
        var detail = invitation.grant.detail
        detail["expiresAt"] = .detail(invitation.expiresAt)
        try audit(kind, invitation.email, .object(detail))
    }
}

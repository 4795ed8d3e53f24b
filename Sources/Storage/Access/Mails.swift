public import FoundationEssentials
import Postgres
import StrictJSON

/// A mail that a worker sends now. Its lease ends, so that another worker sends it if this one is lost.
public struct ClaimedMail: Sendable {
    /// What a mail says.
    public enum Content: Sendable {
        /// An invitation to an organization, with a new code of its link.
        case invitation(OpenInvitation, code: Secret)
        /// A link to create an account. It works once, for ``SystemTransaction/signUpLifetime`` seconds.
        case signUp(code: Secret)
        /// A visitor requested a link to create an account, but the address has one.
        case signUpOfUser(User)
        /// A link to choose a new password. It works once, for ``SystemTransaction/passwordResetLifetime`` seconds.
        case passwordReset(User, code: Secret)
        /// The user's password was changed.
        case passwordChanged(User)
        /// The user's second factor was changed.
        case signInChanged(User, SignInChange)
        /// A file goes live without the approvals that a policy requires.
        case approvalBypassed(BypassNotice)
        /// The deletion of an organization was requested or cancelled, or has begun.
        case organizationDeletion(DeletionNotice)
    }

    /// The ID. All attempts to send a mail have the same one.
    public let id: UUID
    /// The recipient's e-mail address.
    public let recipient: String
    /// The content, or `nil` if there is nothing to send any more. The mail is then removed already.
    public let content: Content?
    /// The number of attempts, including this one.
    public let attempts: Int
    fileprivate let token: Int64
    fileprivate let invitation: UUID?
}

/// What the owners of an organization are told when a file goes live without the required approvals.
public struct BypassNotice: Hashable, Sendable {
    /// The organization's name.
    public let organization: String
    /// The person who decided it.
    public let author: String
    /// The reason that the person gave.
    public let reason: String
    /// The domain and the version, or the release.
    public let subject: String
}

/// The error if too many mails were requested. Nothing was queued.
public enum MailLimit: Error, Hashable, Sendable {
    /// The organization has queued ``SystemTransaction/maximumMailsPerDay`` mails within a day.
    case ofOrganization
    /// ``SystemTransaction/maximumWaitingMails`` mails wait.
    case ofInstallation
}

extension SystemTransaction {
    /// The number of seconds for which the link to choose a new password works.
    public static let passwordResetLifetime = 1_800
    /// The maximum number of mails of an organization in 24 hours, apart from those to its owners.
    public static let maximumMailsPerDay = 1_000
    /// The maximum number of waiting mails. Visitors can queue no more.
    public static let maximumWaitingMails = 10_000
    /// The time between two mails of the same kind to the same address, in seconds.
    static let mailInterval = 300

    /// Queues a mail with a link to choose a new password, whether or not a user has the address. So the answer takes the
    /// same time. Does nothing if the address was sent one within the last 5 minutes. Throws ``MailLimit``.
    public func mailPasswordReset(to email: String) throws { try queueRequestedMail("passwordReset", to: email) }

    /// Queues a mail that a visitor has asked for. Does nothing if the address was sent such a mail within the last 5
    /// minutes. Throws ``MailLimit``.
    func queueRequestedMail(_ kind: String, to email: String) throws {
        let waiting = try database.only(
            """
            select count(*) as mails from (
              select from mails where ended_at is null limit \(Self.maximumWaitingMails)
            ) as waiting
            """)
        guard try waiting.decode("mails", as: Int.self) < Self.maximumWaitingMails else {
            throw MailLimit.ofInstallation
        }
        // Without the lock, requests at the same time would each see no mail.
        try database.execute(
            "select pg_advisory_xact_lock(hashtextextended(\(kind) || ' to ' || lower(\(email)), 0))")
        try database.execute(
            """
            insert into mails (id, kind, recipient, details, due_at)
            select \(UUID()), \(kind), \(email), '{}', clock_timestamp()
            where not exists (
              select from mails
              where lower(recipient) = lower(\(email)) and kind = \(kind)
                and created_at > clock_timestamp() - make_interval(secs => \(Self.mailInterval)::integer))
            """)
    }

    /// Queues a mail that tells a user that the password was changed.
    public func mailPasswordChange(to user: User) throws {
        try queueMail("passwordChanged", to: user.email)
    }

    /// - Parameter seconds: The number of seconds before the mail is sent.
    func queueMail(
        _ kind: String, to recipient: String, of organization: ID<Organization>? = nil, invitation: UUID? = nil,
        details: JSONValue = [:], after seconds: Int = 0
    ) throws {
        try database.execute(
            """
            insert into mails (id, kind, recipient, organization_id, invitation_id, details, due_at)
            values (
              \(UUID()), \(kind), \(recipient), \(organization?.uuid), \(invitation), \(details.text),
              clock_timestamp() + make_interval(secs => \(seconds)::integer))
            """)
    }

    /// Claims a due mail.
    ///
    /// Mails about accounts, which visitors can request, and mails of organizations each have half of the sender's time, so
    /// that neither can delay the others. The caller takes turns.
    ///
    /// A one-time link gets a new code. If it is of an invitation, the code of an earlier attempt ends.
    ///
    /// - Parameter prefersAccounts: Whether mails about accounts come first this time.
    /// - Returns: `nil` if no mail is due.
    public func claimMail(leaseSeconds: Int, prefersAccounts: Bool) throws -> ClaimedMail? {
        let claimed = try database.first(
            """
            with next as (
              select id from mails
              where ended_at is null and due_at <= statement_timestamp()
              order by (organization_id is null) <> \(prefersAccounts), due_at
              limit 1
              for update skip locked
            )
            update mails
            set due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer), token = token + 1,
              attempts = attempts + 1
            from next
            where mails.id = next.id
            returning mails.id, kind, recipient, invitation_id, details, attempts, token
            """)
        guard let claimed else { return nil }
        let recipient = try claimed.decode("recipient", as: String.self)
        let invitation = try claimed.decode("invitation_id", as: UUID?.self)
        let mail = ClaimedMail(
            id: try claimed.decode("id", as: UUID.self), recipient: recipient,
            content: try content(of: claimed, to: recipient, invitation),
            attempts: try claimed.decode("attempts", as: Int.self),
            token: try claimed.decode("token", as: Int64.self), invitation: invitation)
        if mail.content == nil { try database.execute("delete from mails where id = \(mail.id)") }
        return mail
    }

    private func content(of row: Row, to recipient: String, _ invitation: UUID?) throws -> ClaimedMail.Content? {
        switch try row.decode("kind", as: String.self) {
        case "invitation":
            guard let invitation else { return nil }
            return try recodeMailedInvitation(ID(invitation)).map(ClaimedMail.Content.invitation)
        case "signUp":
            if let user = try user(email: recipient) { return .signUpOfUser(user) }
            return .signUp(code: try createSignUpCode(for: recipient))
        case "passwordReset":
            guard let user = try user(email: recipient) else { return nil }
            let code = try createSignInCode(
                for: user, seconds: Self.passwordResetLifetime, purpose: .passwordReset)
            return .passwordReset(user, code: code)
        case "passwordChanged":
            return try user(email: recipient).map(ClaimedMail.Content.passwordChanged)
        case "signInChanged":
            let change = try row.json("details").object?["change"]?.string.flatMap(SignInChange.init)
            guard let change else { throw CorruptRow(column: "details") }
            return try user(email: recipient).map { .signInChanged($0, change) }
        case "approvalBypassed":
            return .approvalBypassed(BypassNotice(try row.json("details").object ?? [:]))
        case "organizationDeletion":
            return .organizationDeletion(try DeletionNotice(row.json("details").object ?? [:]))
        default: throw CorruptRow(column: "kind")
        }
    }

    /// Ends a mail that the server has accepted.
    public func endMail(_ mail: ClaimedMail) throws { try endMail(mail, "sent", cause: nil) }

    /// Gives a mail up. `cause` is the reason.
    public func giveUpMail(_ mail: ClaimedMail, cause: String) throws { try endMail(mail, "failed", cause: cause) }

    private func endMail(_ mail: ClaimedMail, _ state: String, cause: String?) throws {
        let ended = try database.execute(
            """
            update mails set ended_at = clock_timestamp()
            where id = \(mail.id) and token = \(mail.token) and ended_at is null
            """)
        if ended == 1, let invitation = mail.invitation {
            try setMailState(of: ID(invitation), state, cause: cause)
        }
    }

    /// Schedules the next attempt. `cause` is the reason for the failure.
    ///
    /// - Returns: False if the mail has waited for `maximumAge` seconds and is given up.
    public func postponeMail(
        _ mail: ClaimedMail, seconds: Int, maximumAge: Int, cause: String
    ) throws -> Bool {
        let postponed = try database.execute(
            """
            update mails set due_at = clock_timestamp() + make_interval(secs => \(seconds)::integer)
            where id = \(mail.id) and token = \(mail.token) and ended_at is null
              and created_at > clock_timestamp() - make_interval(secs => \(maximumAge)::integer)
            """)
        guard postponed == 1 else {
            try giveUpMail(mail, cause: cause)
            return false
        }
        if let invitation = mail.invitation { try setMailState(of: ID(invitation), "queued", cause: cause) }
        return true
    }

    /// Deletes mails that ended more than a day ago.
    public func forgetMails() throws {
        try database.execute("delete from mails where ended_at is not null and created_at < now() - interval '1 day'")
    }

    /// Deletes all mails that are due. For an installation without a mail server.
    public func discardMails() throws {
        try database.execute("delete from mails where ended_at is null and due_at <= clock_timestamp()")
    }
}

extension TenantTransaction {
    /// Queues the mail with an invitation's code. Replaces one that still waits. Throws ``MailLimit``.
    ///
    /// If the address was sent an invitation of the organization within the last 5 minutes, the mail waits for the rest
    /// of them. This prevents members from flooding a mailbox.
    func mailInvitation(_ id: ID<Invitation>, to email: String) throws {
        try removeMail(of: id)
        let row = try database.only(
            """
            select count(*) as mails,
              greatest(ceil(extract(epoch from max(created_at) filter (
                where lower(recipient) = lower(\(email)) and ended_at is not null
              ) - clock_timestamp()) + \(SystemTransaction.mailInterval)), 0)::bigint as seconds
            from mails
            where organization_id = \(organization.uuid) and kind = 'invitation'
              and created_at > clock_timestamp() - interval '1 day'
            """)
        guard try row.decode("mails", as: Int.self) < SystemTransaction.maximumMailsPerDay else {
            throw MailLimit.ofOrganization
        }
        try system.queueMail(
            "invitation", to: email, of: organization, invitation: id.uuid,
            after: try row.decode("seconds", as: Int?.self) ?? 0)
    }

    /// Removes an invitation's mail that was not sent yet.
    func removeMail(of id: ID<Invitation>) throws {
        try database.execute(
            """
            delete from mails
            where organization_id = \(organization.uuid) and invitation_id = \(id.uuid) and ended_at is null
            """)
    }

    /// Tells the organization's owners by mail that a file goes live without the required approvals.
    ///
    /// - Parameter subject: The domain and the version, or the release.
    func mailOwners(aboutBypassOf subject: String, by author: String, reason: String?) throws {
        let details: JSONValue = [
            "organization": .string(try currentOrganization().name), "author": .string(author),
            "reason": .string(reason ?? ""),
            "subject": .string(subject),
        ]
        // A release is judged in several transactions.
        let earlier = try database.first(
            """
            select from mails
            where organization_id = \(organization.uuid) and kind = 'approvalBypassed' and details = \(details.text)
            limit 1
            """)
        guard earlier == nil else { return }
        for owner in try members() where owner.role == .owner {
            try system.queueMail("approvalBypassed", to: owner.user.email, of: organization, details: details)
        }
    }
}

extension BypassNotice {
    fileprivate init(_ details: JSONObject) {
        func text(_ name: String) -> String { details[name]?.string ?? "" }
        self.init(
            organization: text("organization"), author: text("author"), reason: text("reason"),
            subject: text("subject"))
    }
}

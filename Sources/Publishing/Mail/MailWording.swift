import FoundationEssentials
import SMTP
import Storage

/// The words of the mails.
struct MailWording: Sendable {
    /// The address of the dashboard.
    let dashboard: String

    func message(_ content: ClaimedMail.Content, to recipient: MailAddress, id: String) -> MailMessage {
        let (subject, paragraphs) = words(content)
        let ending = "--\nWaymark at \(dashboard)"
        return MailMessage(
            to: recipient, subject: subject, text: (paragraphs + [ending]).joined(separator: "\n\n") + "\n", id: id)
    }

    private func words(_ content: ClaimedMail.Content) -> (subject: String, paragraphs: [String]) {
        switch content {
        case .invitation(let open, let code):
            let (invitation, organization) = (open.invitation, open.organization.name)
            return (
                "\(invitation.inviter) invites you to \(organization) on Waymark",
                [
                    greeting(invitation.name),
                    "\(invitation.inviter) invites you to the organization \(organization) on Waymark, with the role "
                        + "\(invitation.role).",
                    "Open this page to accept or to read more:\n\(dashboard)/invitation#\(code.text)",
                    "The invitation ends on \(time(invitation.expiresAt)). If you did not expect it, ignore this mail.",
                ]
            )
        case .signUp(let code):
            return (
                "Create your account for Waymark",
                [
                    greeting(nil), "Create your account here:\n\(dashboard)/sign-up#\(code.text)",
                    "The link works once, within an hour. If you did not request it, ignore this mail.",
                ]
            )
        case .signUpOfUser(let user):
            return (
                "You have an account for Waymark",
                [
                    greeting(user.name),
                    "We received a request to create an account for \(user.email), but you have one. Sign in here:\n"
                        + "\(dashboard)/sign-in",
                    "Did you forget the password? Choose a new one:\n\(dashboard)/password-reset",
                ]
            )
        case .passwordReset(let user, let code):
            let minutes = SystemTransaction.passwordResetLifetime / 60
            return (
                "Choose a new password for Waymark",
                [
                    greeting(user.name),
                    "We received a request for a new password for \(user.email). Choose it here:\n"
                        + "\(dashboard)/password-reset#\(code.text)",
                    "The link works once, within \(minutes) minutes. If you did not request it, ignore this mail. Your "
                        + "password is unchanged.",
                ]
            )
        case .passwordChanged(let user):
            return (
                "Your password for Waymark was changed",
                [
                    greeting(user.name),
                    "The password of \(user.email) was changed, and all other sessions were ended.",
                    "If it was not you, choose a new password now:\n\(dashboard)/password-reset",
                ]
            )
        case .signInChanged(let user, let change):
            return (
                change.subject,
                [
                    greeting(user.name), sentence(change, user),
                    "If it was not you, report it to the operator of this Waymark, and choose a new password:\n"
                        + "\(dashboard)/password-reset",
                ]
            )
        case .approvalBypassed(let notice):
            return (
                "\(notice.author) publishes without the required approvals",
                [
                    "\(notice.author) publishes \(notice.subject) without the approvals that \(notice.organization) "
                        + "requires.",
                    "The reason: \(notice.reason)",
                    "You get this mail because you are an owner of \(notice.organization). The events have the "
                        + "details:\n\(dashboard)/events",
                ]
            )
        case .organizationDeletion(let notice): return words(notice)
        }
    }

    private func words(_ notice: DeletionNotice) -> (subject: String, paragraphs: [String]) {
        let name = notice.organization
        let why = "You get this mail because you are an owner of \(name)."
        let day = notice.dueAt.map(time) ?? ""
        switch notice.news {
        case .requested:
            return (
                "\(name) will be deleted from Waymark",
                [
                    "\(notice.author) requested the deletion of the organization \(name). It will be deleted on \(day). "
                        + "Until then, its files are served as before.",
                    "Then everything is deleted, apart from the audit trail, and none of its files is served any more. "
                        + "Export what you need before:\n\(dashboard)/people#leaving",
                    "An owner can cancel the deletion on the same page. \(why)",
                ]
            )
        case .cancelled:
            return (
                "\(name) will not be deleted from Waymark",
                ["\(notice.author) cancelled the deletion of the organization \(name). It stays as it is.", why]
            )
        case .begun:
            return (
                "\(name) is deleted from Waymark",
                [
                    "The organization \(name) is deleted since \(day), as it was requested. Its files are not served "
                        + "any more.",
                    "The audit trail stays. The operator of this Waymark can export it. \(why)",
                ]
            )
        }
    }

    private func sentence(_ change: SignInChange, _ user: User) -> String {
        switch change {
        case .added: "\(user.email) now signs in with the codes of an authenticator app. All other sessions were ended."
        case .removed: "\(user.email) signs in without a second factor from now on."
        case .passkeyAdded: "\(user.email) can now sign in with a new passkey."
        case .passkeyRemoved: "A passkey of \(user.email) was removed. It no longer works."
        case .identityConnected:
            "An account at a sign-in provider was connected with \(user.email). It can now sign in as you."
        case .identityDisconnected:
            "An account at a sign-in provider was disconnected from \(user.email). It can no longer sign in as you."
        case .recoveryCodeUsed: "A recovery code was used to sign in as \(user.email). It does not work again."
        }
    }

    private func greeting(_ name: String?) -> String { "Hello\(name.map { " \($0)" } ?? "")," }

    private func time(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().dateSeparator(.dash)) + " at "
            + date.formatted(.iso8601.time(includingFractionalSeconds: false).timeSeparator(.colon)) + " UTC"
    }
}

extension SignInChange {
    fileprivate var subject: String {
        switch self {
        case .recoveryCodeUsed: "A recovery code was used for Waymark"
        case .identityConnected, .identityDisconnected: "Your sign-in for Waymark was changed"
        default: "Your second factor for Waymark was changed"
        }
    }
}

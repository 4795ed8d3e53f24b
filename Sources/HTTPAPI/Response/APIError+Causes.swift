import AASA
import HTTPTypes
import PasswordHashing
import Postgres
import Publishing
import Storage
import StrictJSON

extension APIError {
    /// Converts an error into a problem. Returns `nil` for a bug in Waymark, which becomes a 500.
    init?(_ cause: any Error) {
        switch cause {
        case let error as APIError: self = error
        case let faults as JSONFaults: self = .invalid(faults.faults)
        case let fault as JSONFault: self = .invalid([fault])
        case let error as MembershipError: self.init(membership: error)
        case let error as SignInRefused: self.init(error)
        case let error as InvitationError: self.init(invitation: error)
        case let blocked as SignInBlocked: self = .signInBlocked(seconds: blocked.seconds)
        case is TooManyOrganizations:
            self = APIError(
                .conflict, "too_many_organizations",
                "You own \(SystemTransaction.maximumOwnedOrganizations) organizations, which is the limit. Ask the operator "
                    + "for another one.")
        case let limit as MailLimit: self.init(mails: limit)
        case is PasswordHasher.Busy:
            self = APIError(
                .serviceUnavailable, "busy", "Too many people sign in at this moment. Try again in a few seconds."
            ).with(.retryAfter, "5")
        case let error as InvalidLinkTestSuite: self.init(suite: error)
        case let error as DraftError: self.init(draft: error)
        case let error as StorageError: self.init(storage: error)
        case let error as InvalidTimes:
            self = .invalid(
                error.faults.map {
                    JSONFault(pointer: JSONPointer().appending($0.field), code: $0.code, detail: $0.detail)
                })
        case let choice as UnusableChoice: self = .invalid(choice.faults.map(JSONFault.init(choice:)))
        case let refusal as GateRefusal: self = .gateRefused(refusal.report)
        case let error as PostgresError where error.sqlState == APIError.lockNotAvailable: self = .locked
        case let error as PostgresError where APIError.collisions.contains(error.sqlState ?? ""): self = .collision
        case let error as PostgresError where error.sqlState == APIError.queryCanceled || error.kind == .deadline:
            self = .tookTooLong
        case let error as PostgresError where error.isUnavailable: self = .unavailable
        case let error as PostgresError where error.kind == .encoding:
            self = APIError(
                .unprocessableContent, "invalid", "A text contains a NUL character, which cannot be stored.")
        case is CancellationError: self = .unavailable
        default: return nil
        }
    }

    /// Converts the faults of a suite. Each also contains its line.
    private init(suite error: InvalidLinkTestSuite) {
        let faults = error.faults.map { fault in
            var object = fault.fault.json.object ?? JSONObject()
            object["line"] = .int(fault.line)
            return JSONValue.object(object)
        }
        self = APIError.invalid(error.faults.map(\.fault)).with("errors", .array(faults))
    }

    private init(membership error: MembershipError) {
        switch error {
        case .isMember(let email, let role):
            self.init(.conflict, "exists", "\(email) is already a member with the role \(role).")
        case .isNoMember(let email):
            self = .notFound("member", email)
        case .lastOwner(let email):
            self.init(
                .conflict, "last_owner",
                "\(email) is the last owner of this organization. Give another member the role owner first.")
        case .isNotVerified(let email):
            self.init(.conflict, "not_verified", "The address \(email) is not verified.")
        }
    }

    private init(invitation error: InvitationError) {
        switch error {
        case .unknown:
            self.init(
                .notFound, "unknown_invitation",
                "The invitation is unknown, already used, withdrawn or expired. Ask for a new one.")
        case .isPending(let email):
            self.init(
                .conflict, "exists",
                "\(email) is already invited. Make a new link for that invitation, or withdraw it first.")
        case .ended(let state):
            self.init(.conflict, "invitation_ended", "The invitation is \(state.rawValue). Invite the person again.")
        case .signInRequired(let email):
            self.init(
                .conflict, "sign_in_required",
                "An account for \(email) exists. Sign in with it, then open the invitation again.")
        case .otherUser(let email):
            self.init(
                .forbidden, "other_user",
                "The invitation is for \(email), but you are signed in with another address. Sign out first.")
        case .tooMany:
            self.init(
                .conflict, "too_many_invitations",
                "The limit of \(TenantTransaction.maximumPendingInvitations) pending invitations is reached. "
                    + "Withdraw one first.")
        }
    }

    private init(mails limit: MailLimit) {
        switch limit {
        case .ofOrganization:
            self =
                APIError(
                    .tooManyRequests, "too_many_mails",
                    "Your organization has sent \(SystemTransaction.maximumMailsPerDay) invitations by mail within 24 hours, "
                        + "which is the limit. Hand over the link yourself, or try again later."
                ).with(.retryAfter, "3600")
        case .ofInstallation:
            self =
                APIError(.serviceUnavailable, "busy", "Too many mails wait to be sent. Try again in a minute.")
                .with(.retryAfter, "60")
        }
    }

    private static func signInBlocked(seconds: Int) -> APIError {
        let wait = seconds > 90 ? "\((seconds + 59) / 60) minutes" : "\(seconds) seconds"
        return APIError(
            .tooManyRequests, "too_many_sign_ins",
            "Too many failed attempts. Try again in \(wait), or ask your operator for a sign-in link."
        ).with(.retryAfter, String(seconds))
    }

    private init(draft error: DraftError) {
        let root = JSONPointer()
        switch error {
        case .ruleNotFound(let id): self = .notFound("rule", id)
        case .entryRequired(0), .appInOtherEntry: self = .invalid(root.appending("apps"), error.code, error.detail)
        case .entryNotFound, .entryRequired: self = .invalid(root.appending("entry"), error.code, error.detail)
        case .positionOutOfRange: self = .invalid(root.appending("position"), error.code, error.detail)
        case .duplicateID: self = .invalid(root.appending("id"), error.code, error.detail)
        case .unrestricted: self = .invalid(root.appending("path"), error.code, error.detail)
        case .restricted: self = .invalid(root.appending("unrestricted"), error.code, error.detail)
        case .tooManyRules, .tooManyEntries: self = .invalid(root, error.code, error.detail)
        }
    }

    private init(storage error: StorageError) {
        switch error {
        case .exists("schedule"):
            self.init(.conflict, "exists", "A schedule with this name already exists.")
        case .exists("user"):
            self.init(.conflict, "exists", "This address has an account. Sign in with it.")
        case .exists(let kind):
            self.init(.conflict, "exists", "This \(kind) already exists.")
        case .notFound(let kind, let key):
            self = .notFound(kind, key)
        case .inUse(let kind, let users, let total):
            self = .inUse(kind, by: HostSample(users, total: total).words, where: Array(users.prefix(100)))
        case .appInUse(let drafts, let files):
            self = .appInUse(drafts: drafts, files: files)
        case .keyOfAnotherList: self = .foreignCursor
        case .revisionMoved(let current):
            self = APIError(
                .preconditionFailed, "revision_moved",
                "The draft has changed; it is now at revision \(current). Reload and try again."
            ).with("revision", .int(current)).with(.eTag, Preconditions.tag(current))
        case .testMoved(let current):
            self = APIError(
                .preconditionFailed, "revision_moved",
                "The test has changed; it is now at revision \(current). Reload and try again."
            ).with("revision", .int(current)).with(.eTag, Preconditions.tag(current))
        case .tooManyTests:
            self = .invalid(
                JSONPointer(), "too_many", "a domain can have at most \(LinkTestSuite.limit) tests")
        case .teamNotRegistered(let team):
            self = .invalid(
                JSONPointer().appending("teamID"), "team_not_registered", "team \(team) is not registered")
        case .isAlias(let target):
            self = APIError(
                .conflict, "alias", "This domain serves the file of \(target). Edit and publish that domain."
            )
            .with("aliasOf", .string(target))
        case .aliasRefused(let reason):
            self = .invalid(JSONPointer().appending("aliasOf"), "alias_refused", reason)
        case .claimedElsewhere:
            self.init(.conflict, "host_claimed", "Another organization has verified this host.")
        case .isServed:
            self.init(
                .conflict, "domain_is_served",
                "This domain cannot be deleted: it has versions, or a file is or was live on it, and devices would lose "
                    + "their links. To take it out of service, withdraw it: POST /v1/domains/{host}/withdrawals.")
        case .wouldStop(let pending):
            self = APIError(
                .conflict, "in_use",
                "This would stop \(pending.joined(separator: ", ")). Cancel or delete them first, or wait until they end."
            ).with("where", .array(pending.map(JSONValue.string)))
        case .deletionBegun:
            self.init(
                .conflict, "deletion_begun",
                "The deletion has begun. It cannot be cancelled, because parts of the organization may be gone.")
        case .tokenEnded:
            self.init(
                .conflict, "token_ended", "The token has expired or was revoked. Create a new one instead.")
        case .tokenOfTrust:
            self.init(
                .conflict, "token_of_trust",
                "This token was made by a trust. It cannot be rotated; the next run gets its own token.")
        case .tokenUsed:
            self.init(
                .conflict, "token_used",
                "This token was exchanged before. Each token can be exchanged once: request a new one in the job.")
        case .quotaReached(let limit):
            self.init(
                .conflict, "quota_reached",
                "The operator of this Waymark allows your organization \(limit). Remove some, or ask for more.")
        case .tooManyPasskeys:
            self.init(
                .conflict, "too_many_passkeys", "The limit of \(Passkey.maximum) passkeys is reached. Remove one first."
            )
        case .tooManyIdentities:
            self.init(
                .conflict, "too_many_identities",
                "The limit of \(Identity.maximum) connected identities is reached. Disconnect one first.")
        case .tooManyTrusts:
            self.init(
                .conflict, "too_many_trusts",
                "The limit of \(Trust.maximum) trusts is reached. Delete one first.")
        case .tooManyApprovalPolicies:
            self.init(
                .conflict, "too_many_policies",
                "The limit of \(ApprovalPolicy.maximum) approval policies is reached. Delete one first.")
        case .noMember(let address):
            self = .invalid(JSONPointer().appending("bypassers"), "not_found", "\(address) is not a member")
        case .tooManyApprovalRequests(let limit):
            self.init(
                .conflict, "too_many_approval_requests",
                "The limit of \(limit) open approval requests is reached. Cancel one first.")
        case .tooManyFilesToApprove(let count):
            self.init(
                .conflict, "too_many_files",
                "\(count) files need approval; a request can have \(ApprovalRequest.maximumFiles). Make several requests."
            )
        case .nothingToApprove:
            self.init(
                .conflict, "nothing_to_approve",
                "No file needs approval: no policy applies to the domains, or their drafts are live or have changed since."
            )
        case .approvalRequestEnded(let state):
            self.init(.conflict, "approval_request_ended", "The request is already \(state).")
        case .tooManyReviews(let limit):
            self.init(
                .conflict, "too_many_reviews",
                "The limit of \(limit) reviews of this kind is reached. Cancel the request and make a new one.")
        case .ownChange:
            self.init(
                .conflict, "own_change",
                "You edited these drafts since the live version, so another person must approve them.")
        case .roleNeeded(let needed, let has, let reasons):
            self = .forbidden(needed: needed, has: has, because: reasons)
        case .roleIsLimited(let labels, let outside):
            let list = labels.count == 1 ? "the label" : "one of the labels"
            self.init(
                .forbidden, "role_is_limited",
                "Your role counts only for domains with \(list) \(labels.joined(separator: ", ")). "
                    + "This change concerns \(outside). Ask an administrator.")
        case .tooManyPublications:
            self.init(
                .conflict, "too_many_publications",
                "The limit of \(TenantTransaction.maximumPendingPublications) pending publications of a domain is reached. "
                    + "Cancel one first.")
        case .publicationEnded(let state):
            self.init(.conflict, "publication_ended", "The publication is \(state) and can no longer be cancelled.")
        case .beingWithdrawn(let due):
            self = APIError(
                .conflict, "being_withdrawn",
                "The host is being withdrawn. Undo the withdrawal first, or wait until it ends."
            )
            .with("dueAt", .time(due))
        case .nothingLive:
            self.init(.conflict, "nothing_live", "No file is live on this host, so there is nothing to withdraw.")
        case .tooManyReleases:
            self.init(
                .conflict, "too_many_releases",
                "The limit of \(Release.maximumPending) pending releases is reached. Cancel one, or wait until one ends."
            )
        case .releaseEnded(let state):
            self.init(.conflict, "release_ended", "The release is \(state) and can no longer be cancelled.")
        case .releaseNotLive:
            self.init(.conflict, "release_not_live", "Only a release that went live can be rolled back.")
        case .withdrawalEnded(let state):
            self.init(.conflict, "withdrawal_ended", "The withdrawal is \(state) and can no longer be undone.")
        case .scheduleMoved(let current):
            self = APIError(
                .preconditionFailed, "revision_moved",
                "The schedule has changed; it is now at revision \(current). Reload and try again."
            ).with("revision", .int(current)).with(.eTag, Preconditions.tag(current))
        case .scheduleRefused, .unknownZone, .several:
            self = .invalid(Self.faults(storage: error))
        case .tooManySchedules:
            self.init(
                .conflict, "too_many_schedules",
                "The limit of \(Schedule.maximum) schedules is reached. Delete one first.")
        case .freezeRefused(let reason):
            self = .invalid(JSONPointer().appending("endsAt"), "invalid_end", reason)
        case .tooManyFreezes:
            self.init(
                .conflict, "too_many_freezes",
                "The limit of \(Freeze.maximumActive) active freezes is reached. End one first.")
        case .freezeEnded:
            self.init(.conflict, "freeze_ended", "The freeze has already ended.")
        }
    }

    /// Faults of a request that only the database can detect.
    private static func faults(storage error: StorageError) -> [JSONFault] {
        switch error {
        case .several(let errors): errors.flatMap(faults(storage:))
        case .scheduleRefused(let reason):
            [JSONFault(pointer: JSONPointer().appending("host"), code: "host_refused", detail: reason)]
        case .unknownZone:
            [
                JSONFault(
                    pointer: JSONPointer().appending("zone"), code: "unknown_zone",
                    detail: "is not an IANA time zone that PostgreSQL knows, such as Europe/Berlin; for a renamed zone "
                        + "use the new name, such as Asia/Kolkata for Asia/Calcutta")
            ]
        default: []
        }
    }

    private static func inUse(_ kind: String, by users: String, where places: [String]) -> APIError {
        APIError(.conflict, "in_use", "The \(kind) is used by \(users). Remove it from them first.")
            .with("where", .array(places.map(JSONValue.string)))
    }

    private static func appInUse(drafts: HostSample, files: HostSample) -> APIError {
        let places = [("the draft of", drafts), ("a live or scheduled file of", files)]
        let uses = places.filter { $0.1.total > 0 }.map { "\($0.0) \($0.1.words)" }
        let hosts = (drafts.hosts + files.hosts.filter { !drafts.hosts.contains($0) }).prefix(100)
        return inUse("app", by: uses.joined(separator: "; by "), where: Array(hosts))
    }

    static func gateRefused(_ report: GateReport) -> APIError {
        let failed = report.checks.filter { $0.outcome == .failed }
        return APIError(
            .unprocessableContent, "gate_refused",
            "No version was saved or published: \(failed.count) \(failed.count == 1 ? "check" : "checks") failed. "
                + failed.map(\.detail).joined(separator: " ")
        ).with("report", report.json)
    }

    /// SQLSTATEs of a deadlock and a serialization failure (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    private static let collisions: Set<String> = ["40P01", "40001"]

    private static let lockNotAvailable = "55P03"

    /// The SQLSTATE of a cancelled statement. A statement that exceeds its time limit has it too.
    private static let queryCanceled = "57014"

    /// A lock was not free in time. Reads do not wait for changes of other requests, so a read gets this error only
    /// during a migration or similar work.
    static let locked = APIError(
        .serviceUnavailable, "unavailable",
        "Timed out waiting for a database lock, which another change or work on the database holds. Try again."
    ).with(.retryAfter, "1")

    static let collision = APIError(
        .serviceUnavailable, "unavailable", "Another request is changing the same thing. Try again."
    ).with(.retryAfter, "1")

    /// The database is available, but a statement took too long.
    static let tookTooLong = APIError(
        .serviceUnavailable, "unavailable",
        "The query timed out. Ask for less, such as a smaller `limit` or fewer days, or try again later. Live files "
            + "are still served."
    ).with(.retryAfter, "1")

    static let unavailable = APIError(
        .serviceUnavailable, "unavailable", "The database cannot be reached. Live files are still served."
    ).with(.retryAfter, "1")
}

extension HostSample {
    private static let maximumNamed = 5

    /// A text such as "a.example, b.example and 3 more": the first few hosts and the number of the others.
    fileprivate var words: String {
        let named = hosts.prefix(Self.maximumNamed)
        let others = total - named.count
        return named.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }
}

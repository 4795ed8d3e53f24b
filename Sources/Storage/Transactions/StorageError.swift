public import FoundationEssentials
import Postgres

/// A sample of hosts: the first 100 in order, and the total number.
public struct HostSample: Hashable, Sendable {
    /// The first hosts.
    public var hosts: [String]
    /// The total number of hosts.
    public var total: Int

    /// Creates a sample. Without a total, it contains all hosts.
    public init(_ hosts: [String] = [], total: Int? = nil) {
        self.hosts = hosts
        self.total = total ?? hosts.count
    }
}

/// An error that the caller can fix, such as a duplicate key, a row in use, or a changed revision.
public enum StorageError: Error, Hashable, Sendable {
    /// The natural key already exists. `kind` is "team", "app", "domain", "organization" or "user".
    case exists(kind: String)
    /// The organization has no such row. The values are the kind and the given key.
    case notFound(kind: String, key: String)
    /// Other rows refer to it. `usedBy` lists them, or the first 100. `total` is the number of all, if `usedBy` may not
    /// list all of them.
    case inUse(kind: String, usedBy: [String], total: Int? = nil)
    /// The app is in these drafts, or in the live or pending files of these hosts.
    case appInUse(drafts: HostSample, files: HostSample)
    /// The page's key does not belong to this list.
    case keyOfAnotherList
    /// The draft's revision is not the expected one.
    case revisionMoved(current: Int)
    /// The test's revision is not the expected one.
    case testMoved(current: Int)
    /// The domain has reached the maximum number of tests.
    case tooManyTests
    /// The app's team is not registered.
    case teamNotRegistered(String)
    /// The domain is an alias. It has no draft, versions or publications.
    case isAlias(of: String)
    /// The host in `aliasOf` cannot be the target. `because` is the reason, in words.
    case aliasRefused(because: String)
    /// Another organization holds the claim for the host.
    case claimedElsewhere
    /// The domain has versions, or is or was live. It cannot be deleted; a withdrawal takes it out of service.
    case isServed
    /// The domain has reached the maximum number of pending publications.
    case tooManyPublications
    /// The publication has already ended.
    case publicationEnded(state: String)
    /// A withdrawal of the host is pending until this time.
    case beingWithdrawn(at: Date)
    /// No version is live on the host, so there is nothing to withdraw.
    case nothingLive
    /// The withdrawal has already ended.
    case withdrawalEnded(state: String)
    /// The schedule's revision is not the expected one.
    case scheduleMoved(current: Int)
    /// The target cannot be scheduled. `because` is the reason, in words.
    case scheduleRefused(because: String)
    /// The change between alias and domain would stop these items. They are texts, at most 300.
    case wouldStop([String])
    /// The change requires this role. `because` lists the affected items, as texts.
    case roleNeeded(Role, has: Role, because: [String])
    /// The caller's role is limited to the domains with one of these labels, and the change concerns something else.
    case roleIsLimited(to: [String], outside: String)
    /// The organization has reached the maximum number of schedules.
    case tooManySchedules
    /// The database does not know this time zone.
    case unknownZone(String)
    /// Several errors together.
    case several([StorageError])
    /// The end of the freeze is not allowed. `because` is the reason, in words.
    case freezeRefused(because: String)
    /// The organization has reached the maximum number of active freezes.
    case tooManyFreezes
    /// The freeze has already ended.
    case freezeEnded
    /// The deletion of the organization has begun, so it cannot be cancelled.
    case deletionBegun
    /// The token has expired or was revoked.
    case tokenEnded
    /// The token belongs to a trust. It cannot be rotated.
    case tokenOfTrust
    /// The token of a CI system was exchanged before.
    case tokenUsed
    /// The operator allows the organization no more. The value is the limit, such as "50 domains".
    case quotaReached(String)
    /// The user has ``Passkey/maximum`` passkeys.
    case tooManyPasskeys
    /// The user has ``Identity/maximum`` connected identities.
    case tooManyIdentities
    /// The organization has reached the maximum number of trusts.
    case tooManyTrusts
    /// The organization has ``ApprovalPolicy/maximum`` approval policies.
    case tooManyApprovalPolicies
    /// The address is not of a member.
    case noMember(String)
    /// The organization, or the author alone, has this number of requests that did not end.
    case tooManyApprovalRequests(limit: Int)
    /// More files need approval than a request can have.
    case tooManyFilesToApprove(Int)
    /// None of the files needs an approval.
    case nothingToApprove
    /// The request was rejected or cancelled.
    case approvalRequestEnded(state: String)
    /// The request has this number of reviews of the same kind.
    case tooManyReviews(limit: Int)
    /// The person edited each of the files, so their approval would not count.
    case ownChange

    /// The organization has reached the maximum number of pending releases.
    case tooManyReleases
    /// The release has already ended.
    case releaseEnded(state: String)
    /// Only a live release can be rolled back.
    case releaseNotLive

    /// The error for a violated constraint, or `nil` if the violation is a bug in Waymark.
    init?(violatedConstraintOf error: PostgresError) {
        switch error.constraint {
        case "teams_key": self = .exists(kind: "team")
        case "apps_key": self = .exists(kind: "app")
        case "domains_key": self = .exists(kind: "domain")
        case "test_is_there_once": self = .exists(kind: "test")
        case "schedule_name_is_unique": self = .exists(kind: "schedule")
        case "schedule_is_for_a_domain": self = .inUse(kind: "domain", usedBy: ["a schedule"])
        case "app_is_replaced_once_at_a_time": self = .exists(kind: "replacement")
        case "organization_slug_is_unique": self = .exists(kind: "organization")
        case "approval_policy_is_unique": self = .exists(kind: "approval policy")
        case "trust_name_is_unique": self = .exists(kind: "trust")
        case "passkey_is_added_once": self = .exists(kind: "passkey")
        case "user_email_is_unique": self = .exists(kind: "user")
        case "version_is_of_a_domain", "claim_is_for_a_domain": self = .isServed
        default: return nil
        }
    }
}

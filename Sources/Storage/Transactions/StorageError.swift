public import FoundationEssentials
import Postgres

/// A sample of many hosts: the first 100, in order, and their number.
public struct HostSample: Hashable, Sendable {
    /// The first hosts.
    public var hosts: [String]
    /// The number of all hosts.
    public var total: Int

    /// A sample. Without a total it has all hosts.
    public init(_ hosts: [String] = [], total: Int? = nil) {
        self.hosts = hosts
        self.total = total ?? hosts.count
    }
}

/// An error that the caller can fix: a key that is taken, a row that is in use, a revision that has changed.
public enum StorageError: Error, Hashable, Sendable {
    /// The natural key is taken. `kind` is "team", "app", "domain", "organization" or "user".
    case exists(kind: String)
    /// The organization has no such row. The kind, and the key that was given.
    case notFound(kind: String, key: String)
    /// Other rows need it. `usedBy` names at most 100 of them; `total` is their number if there may be more.
    case inUse(kind: String, usedBy: [String], total: Int? = nil)
    /// The app is in use: by these drafts, and by the live or pending files of these hosts.
    case appInUse(drafts: HostSample, files: HostSample)
    /// The page's key does not belong to this list.
    case keyOfAnotherList
    /// The draft has another revision than the expected one.
    case revisionMoved(current: Int)
    /// The test has another revision than the expected one.
    case testMoved(current: Int)
    /// The maximum number of tests of the domain is reached.
    case tooManyTests
    /// The app's team is not registered.
    case teamNotRegistered(String)
    /// The domain is an alias, and has no draft, versions or publications.
    case isAlias(of: String)
    /// The host named by `aliasOf` cannot be the target. `because` is the reason, in words.
    case aliasRefused(because: String)
    /// Another organization holds the claim for the host.
    case claimedElsewhere
    /// The domain has versions, or is or was live. To take it out of service, it must be withdrawn, and stays.
    case isServed
    /// The maximum number of pending publications of the domain is reached.
    case tooManyPublications
    /// The publication has already ended.
    case publicationEnded(state: String)
    /// A withdrawal of the host is pending, until this time.
    case beingWithdrawn(at: Date)
    /// Nothing is live on the host, so there is nothing to withdraw.
    case nothingLive
    /// The withdrawal has already ended.
    case withdrawalEnded(state: String)
    /// The schedule has another revision than the expected one.
    case scheduleMoved(current: Int)
    /// The target cannot be scheduled. `because` is the reason, in words.
    case scheduleRefused(because: String)
    /// The change between alias and domain would stop these, in words; at most 300.
    case wouldStop([String])
    /// The change needs this role. `because` lists what it affects, in words.
    case roleNeeded(Role, has: Role, because: [String])
    /// The maximum number of schedules of the organization is reached.
    case tooManySchedules
    /// The database knows no such time zone.
    case unknownZone(String)
    /// Several errors at once.
    case several([StorageError])
    /// The freeze cannot end then. `because` is the reason, in words.
    case freezeRefused(because: String)
    /// The maximum number of active freezes of the organization is reached.
    case tooManyFreezes
    /// The freeze has already ended.
    case freezeEnded

    /// The maximum number of pending releases of the organization is reached.
    case tooManyReleases
    /// The release has already ended.
    case releaseEnded(state: String)
    /// Only a live release can be rolled back.
    case releaseNotLive

    /// The error for a violated constraint; `nil` if the violation is a defect of Waymark.
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
        case "user_email_is_unique": self = .exists(kind: "user")
        case "version_is_of_a_domain", "claim_is_for_a_domain": self = .isServed
        default: return nil
        }
    }
}

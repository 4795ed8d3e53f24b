public import FoundationEssentials
import Postgres

/// Some of many hosts: the first 100, in order, and how many there are.
public struct HostSample: Hashable, Sendable {
    /// The first ones.
    public var hosts: [String]
    /// How many there are in all.
    public var total: Int

    /// A sample; of all hosts unless a total is given.
    public init(_ hosts: [String] = [], total: Int? = nil) {
        self.hosts = hosts
        self.total = total ?? hosts.count
    }
}

/// What a caller can mend: a key that is taken, a row that is still in use, a revision that has moved on.
public enum StorageError: Error, Hashable, Sendable {
    /// A row with the same natural key exists: `kind` says which ("team", "app", "domain", "organization", "user").
    case exists(kind: String)
    /// No such row in this organization: what it is and how it was named.
    case notFound(kind: String, key: String)
    /// Cannot go: other rows need it. `usedBy` names them, at most 100; `total` counts them where there may be more.
    case inUse(kind: String, usedBy: [String], total: Int? = nil)
    /// The app cannot go: these drafts name it, and the files that are live or are to go live on these hosts.
    case appInUse(drafts: HostSample, files: HostSample)
    /// A page's key is none that this list gives.
    case keyOfAnotherList
    /// The draft has another revision than the one expected.
    case revisionMoved(current: Int)
    /// The test has another revision than the one expected.
    case testMoved(current: Int)
    /// The domain would have more tests than it may.
    case tooManyTests
    /// The team that an app names is not registered.
    case teamNotRegistered(String)
    /// A draft, a version or a publication was asked of a domain that stands for another.
    case isAlias(of: String)
    /// The host named by `aliasOf` cannot be stood for; `because` says why, in words.
    case aliasRefused(because: String)
    /// Another organization holds the claim for the host.
    case claimedElsewhere
    /// The domain has been frozen, or something is or was live on it: it is withdrawn by an act of its own, and stays.
    case isServed
    /// The domain has as many pending publications as it may.
    case tooManyPublications
    /// The publication has ended already.
    case publicationEnded(state: String)
    /// The host is going to be withdrawn at this time.
    case beingWithdrawn(at: Date)
    /// Nothing is live on the host, so nothing can be withdrawn.
    case nothingLive
    /// The withdrawal has ended already.
    case withdrawalEnded(state: String)
    /// The schedule has another revision than the one expected.
    case scheduleMoved(current: Int)
    /// What is to be scheduled cannot be; `because` says why, in words.
    case scheduleRefused(because: String)
    /// Becoming an alias, or ceasing to be one, would stop these, named in words; at most 300.
    case wouldStop([String])
    /// As things are the change is for this role to decide; `because` says in words what it touches.
    case roleNeeded(Role, has: Role, because: [String])
    /// The organization has as many schedules as it may.
    case tooManySchedules
    /// The database knows no such time zone.
    case unknownZone(String)
    /// Several things are wrong at once; each is one of the others.
    case several([StorageError])
    /// A freeze cannot end then; `because` says why, in words.
    case freezeRefused(because: String)
    /// As many freezes of the organization go on as may.
    case tooManyFreezes
    /// The freeze has ended already.
    case freezeEnded

    /// The organization has as many pending releases as it may.
    case tooManyReleases
    /// The release has ended already.
    case releaseEnded(state: String)
    /// Only a release that is live can be taken back.
    case releaseNotLive

    /// The error that a named constraint stands for; `nil` where the violation is a defect of ours.
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

import AASA
import HTTPTypes
import Postgres
import Publishing
import Storage
import StrictJSON

extension APIError {
    /// The problem that an error stands for; `nil` for a defect of ours, which becomes a 500.
    init?(_ cause: any Error) {
        switch cause {
        case let error as APIError: self = error
        case let faults as JSONFaults: self = .invalid(faults.faults)
        case let fault as JSONFault: self = .invalid([fault])
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

    /// Every fault has its line besides.
    private init(suite error: InvalidLinkTestSuite) {
        let faults = error.faults.map { fault in
            var object = fault.fault.json.object ?? JSONObject()
            object["line"] = .int(fault.line)
            return JSONValue.object(object)
        }
        self = APIError.invalid(error.faults.map(\.fault)).with("errors", .array(faults))
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
            self.init(.conflict, "exists", "There is a schedule of this name already.")
        case .exists(let kind):
            self.init(.conflict, "exists", "This \(kind) is here already.")
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
                "The draft is at revision \(current) now: somebody has changed it since. Read it again."
            ).with("revision", .int(current)).with(.eTag, Preconditions.tag(current))
        case .testMoved(let current):
            self = APIError(
                .preconditionFailed, "revision_moved",
                "The test is at revision \(current) now: somebody has changed it since. Read it again."
            ).with("revision", .int(current)).with(.eTag, Preconditions.tag(current))
        case .tooManyTests:
            self = .invalid(
                JSONPointer(), "too_many", "a domain has at most \(LinkTestSuite.limit) tests")
        case .teamNotRegistered(let team):
            self = .invalid(
                JSONPointer().appending("teamID"), "team_not_registered", "team \(team) is not registered here")
        case .isAlias(let target):
            self = APIError(.conflict, "alias", "This domain serves the file of \(target): edit and publish that one.")
                .with("aliasOf", .string(target))
        case .aliasRefused(let reason):
            self = .invalid(JSONPointer().appending("aliasOf"), "alias_refused", reason)
        case .claimedElsewhere:
            self.init(.conflict, "host_claimed", "Control of this host has been proven by another organization.")
        case .isServed:
            self.init(
                .conflict, "domain_is_served",
                "Versions of this domain exist, or something is or was served on it, so it stays: devices would lose "
                    + "their links. To take it out of service, withdraw it: POST /v1/domains/{host}/withdrawals.")
        case .wouldStop(let pending):
            self = APIError(
                .conflict, "in_use",
                "This would stop \(pending.joined(separator: ", ")). Cancel or delete them first, or wait until they "
                    + "have ended."
            ).with("where", .array(pending.map(JSONValue.string)))
        case .roleNeeded(let needed, let has, let reasons):
            self = .forbidden(needed: needed, has: has, because: reasons)
        case .tooManyPublications:
            self.init(
                .conflict, "too_many_publications",
                "The domain has \(TenantTransaction.mostPendingPublications) publications pending, which is the most it may have. "
                    + "Call some of them off.")
        case .publicationEnded(let state):
            self.init(.conflict, "publication_ended", "The publication is \(state): it cannot be called off any more.")
        case .beingWithdrawn(let due):
            self = APIError(
                .conflict, "being_withdrawn",
                "The host is being withdrawn from service. Undo that first, or wait for its end."
            )
            .with("dueAt", .time(due))
        case .nothingLive:
            self.init(.conflict, "nothing_live", "Nothing is live on this host, so there is nothing to withdraw.")
        case .tooManyReleases:
            self.init(
                .conflict, "too_many_releases",
                "The organization has \(Release.mostPending) releases pending, which is the most it may have. "
                    + "Call some of them off, or wait for their end.")
        case .releaseEnded(let state):
            self.init(.conflict, "release_ended", "The release is \(state): it cannot be called off any more.")
        case .releaseNotLive:
            self.init(.conflict, "release_not_live", "Only a release that has gone live can be taken back.")
        case .withdrawalEnded(let state):
            self.init(.conflict, "withdrawal_ended", "The withdrawal is \(state): it cannot be undone any more.")
        case .scheduleMoved(let current):
            self = APIError(
                .preconditionFailed, "revision_moved",
                "The schedule is at revision \(current) now: somebody has changed it since. Read it again."
            ).with("revision", .int(current)).with(.eTag, Preconditions.tag(current))
        case .scheduleRefused, .unknownZone, .several:
            self = .invalid(Self.faults(storage: error))
        case .tooManySchedules:
            self.init(
                .conflict, "too_many_schedules",
                "The organization has \(Schedule.most) schedules, the most it may have.")
        case .freezeRefused(let reason):
            self = .invalid(JSONPointer().appending("endsAt"), "invalid_end", reason)
        case .tooManyFreezes:
            self.init(
                .conflict, "too_many_freezes",
                "\(Freeze.mostCurrent) freezes of the organization go on, which is the most that may. Lift one of them "
                    + "first.")
        case .freezeEnded:
            self.init(.conflict, "freeze_ended", "The freeze has ended: there is nothing to lift.")
        }
    }

    /// What is wrong with the request, where that is found out in the database.
    private static func faults(storage error: StorageError) -> [JSONFault] {
        switch error {
        case .several(let errors): errors.flatMap(faults(storage:))
        case .scheduleRefused(let reason):
            [JSONFault(pointer: JSONPointer().appending("host"), code: "host_refused", detail: reason)]
        case .unknownZone:
            [
                JSONFault(
                    pointer: JSONPointer().appending("zone"), code: "unknown_zone",
                    detail: "is no IANA time zone that PostgreSQL knows, such as Europe/Berlin; it may know a zone by "
                        + "its present name alone, such as Asia/Kolkata for Asia/Calcutta")
            ]
        default: []
        }
    }

    private static func inUse(_ kind: String, by users: String, where places: [String]) -> APIError {
        APIError(.conflict, "in_use", "The \(kind) is in use by \(users). Take it out there first.")
            .with("where", .array(places.map(JSONValue.string)))
    }

    private static func appInUse(drafts: HostSample, files: HostSample) -> APIError {
        let places = [("the draft of", drafts), ("what is live, or is to go live, on", files)]
        let uses = places.filter { $0.1.total > 0 }.map { "\($0.0) \($0.1.words)" }
        let hosts = (drafts.hosts + files.hosts.filter { !drafts.hosts.contains($0) }).prefix(100)
        return inUse("app", by: uses.joined(separator: "; by "), where: Array(hosts))
    }

    static func gateRefused(_ report: GateReport) -> APIError {
        let failed = report.checks.filter { $0.outcome == .failed }
        return APIError(
            .unprocessableContent, "gate_refused",
            "Nothing was frozen or published. " + failed.map(\.detail).joined(separator: " ")
        ).with("report", report.json)
    }

    /// Deadlock, serialization failure (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    private static let collisions: Set<String> = ["40P01", "40001"]

    private static let lockNotAvailable = "55P03"

    /// Also that of a statement which ran into its time limit.
    private static let queryCanceled = "57014"

    /// A read waits for no change: what holds it up is a migration or the like.
    static let locked = APIError(
        .serviceUnavailable, "unavailable",
        "What this needs has been locked in the database for too long, by another change of it or by work on the "
            + "database itself. Try again."
    ).with(.retryAfter, "1")

    static let collision = APIError(
        .serviceUnavailable, "unavailable", "Somebody else is changing the same thing right now. Try again."
    ).with(.retryAfter, "1")

    /// The database may be there, and have been working on this all the time.
    static let tookTooLong = APIError(
        .serviceUnavailable, "unavailable",
        "The database did not come to an end with this in the time that it may take. Ask for less at once, such as a "
            + "smaller `limit` or fewer days, or try again when it has less to do. What is live is served on."
    ).with(.retryAfter, "1")

    static let unavailable = APIError(
        .serviceUnavailable, "unavailable", "The database cannot be reached right now. What is live is served on."
    ).with(.retryAfter, "1")
}

extension HostSample {
    private static let mostNamed = 5

    /// "a.example, b.example": the first few, and how many others there are.
    fileprivate var words: String {
        let named = hosts.prefix(Self.mostNamed)
        let others = total - named.count
        return named.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }
}

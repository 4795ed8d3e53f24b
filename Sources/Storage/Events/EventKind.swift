/// The kind of an event, as `thing.verb`. `docs/events.md` describes each kind and its detail. A test compares the two
/// lists.
public enum EventKind: String, CaseIterable, Sendable {
    case organizationCreated = "organization.created"
    case organizationChanged = "organization.changed"
    case memberRoleSet = "member.role_set"
    case memberRemoved = "member.removed"
    case invitationCreated = "invitation.created"
    case invitationRenewed = "invitation.renewed"
    case invitationWithdrawn = "invitation.withdrawn"
    case invitationAccepted = "invitation.accepted"
    case tokenCreated = "token.created"
    case tokenRotated = "token.rotated"
    case tokenRevoked = "token.revoked"
    case trustCreated = "trust.created"
    case trustChanged = "trust.changed"
    case trustDeleted = "trust.deleted"
    case trustRefused = "trust.refused"

    case policyCreated = "policy.created"
    case policyChanged = "policy.changed"
    case policyDeleted = "policy.deleted"
    case approvalRequested = "approval.requested"
    case approvalCommented = "approval.commented"
    case approvalGiven = "approval.given"
    case approvalRejected = "approval.rejected"
    case approvalCancelled = "approval.cancelled"
    case approvalBypassed = "approval.bypassed"

    case teamCreated = "team.created"
    case teamChanged = "team.changed"
    case teamDeleted = "team.deleted"
    case appCreated = "app.created"
    case appChanged = "app.changed"
    case appDeleted = "app.deleted"

    case domainCreated = "domain.created"
    case domainChanged = "domain.changed"
    case domainVerified = "domain.verified"
    case domainDeleted = "domain.deleted"
    case aliasLive = "alias.live"
    case aliasEnded = "alias.ended"
    case draftChanged = "draft.changed"
    case draftImported = "draft.imported"
    case draftReset = "draft.reset"
    case ruleCreated = "rule.created"
    case ruleChanged = "rule.changed"
    case ruleDeleted = "rule.deleted"
    case testCreated = "test.created"
    case testChanged = "test.changed"
    case testDeleted = "test.deleted"
    case testsImported = "tests.imported"
    case versionCreated = "version.created"

    case publicationCreated = "publication.created"
    case publicationRunning = "publication.running"
    case publicationPostponed = "publication.postponed"
    case publicationLive = "publication.live"
    case publicationFailed = "publication.failed"
    case publicationCancelled = "publication.cancelled"
    case publicationSuperseded = "publication.superseded"
    case publicationSuspended = "publication.suspended"

    case withdrawalCreated = "withdrawal.created"
    case withdrawalPostponed = "withdrawal.postponed"
    case withdrawalWithdrawn = "withdrawal.withdrawn"
    case withdrawalCancelled = "withdrawal.cancelled"
    case withdrawalFailed = "withdrawal.failed"

    case scheduleCreated = "schedule.created"
    case scheduleChanged = "schedule.changed"
    case schedulePaused = "schedule.paused"
    case scheduleResumed = "schedule.resumed"
    case scheduleSuspended = "schedule.suspended"
    case scheduleDeleted = "schedule.deleted"
    case runStarted = "run.started"
    case runEnded = "run.ended"
    case freezeCreated = "freeze.created"
    case freezeLifted = "freeze.lifted"
    case freezeEnded = "freeze.ended"

    case releaseCreated = "release.created"
    case releaseScheduled = "release.scheduled"
    case releaseRunning = "release.running"
    case releasePostponed = "release.postponed"
    case releaseJudged = "release.judged"
    case releaseRefused = "release.refused"
    case releaseUnchanged = "release.unchanged"
    case releaseLive = "release.live"
    case releaseFailed = "release.failed"
    case releaseCancelled = "release.cancelled"
    case releaseSuspended = "release.suspended"
    case replacementCreated = "replacement.created"
    case replacementPostponed = "replacement.postponed"
    case replacementDone = "replacement.done"
    case replacementFailed = "replacement.failed"

    case sinkRepaired = "sink.repaired"

    /// The subject: the part before the period.
    public var thing: Substring { rawValue.prefix { $0 != "." } }

    /// The kinds that a name stands for: a single kind, or all kinds of a thing, such as `publication`. Empty if the
    /// name is unknown.
    public static func named(_ name: String) -> [EventKind] {
        allCases.filter { $0.rawValue == name || $0.thing == name }
    }
}

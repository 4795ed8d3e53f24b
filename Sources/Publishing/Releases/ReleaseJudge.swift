import AASA
import Storage
import StrictJSON

/// Judges the domains of a release, several at the same time. It is pure: the same candidates always get the same
/// verdicts.
struct ReleaseJudge: Sendable {
    /// The number of domains per task. Starting a task costs little compared with judging this many.
    private static let share = 32

    private let gate = Gate()
    private let overrides: Bool
    private let bypassesApproval: Bool
    private let bringsBack: Bool

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - overrides: True if files that differ greatly from the live ones pass.
    ///   - bypassesApproval: True if files pass without the required approvals, as far as the requester can bypass
    ///     them.
    ///   - bringsBack: True if withdrawn hosts pass. If a user lists a host, the host should be published. If a user
    ///     selects a label, the user may not know about the withdrawn host.
    init(overrides: Bool, bypassesApproval: Bool = false, bringsBack: Bool = true) {
        self.overrides = overrides
        self.bypassesApproval = bypassesApproval
        self.bringsBack = bringsBack
    }

    /// Returns a verdict for each candidate, in any order.
    ///
    /// - Parameter registered: The candidates' apps that are registered in the organization.
    func judge(_ candidates: [DomainCandidate], registered: Set<AppID>) async -> [ReleaseVerdict] {
        await withTaskGroup(of: [ReleaseVerdict].self) { group in
            for start in stride(from: 0, to: candidates.count, by: Self.share) {
                let share = candidates[start..<min(start + Self.share, candidates.count)]
                group.addTask { share.map { judge($0, registered: registered) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Returns the verdict on one candidate.
    func judge(_ candidate: DomainCandidate, registered: Set<AppID>) -> ReleaseVerdict {
        let file = candidate.older?.file ?? candidate.draft.draft.association().bytes
        guard file != candidate.live else { return verdict(.unchanged, candidate, file, nil, []) }
        let tests =
            candidate.tests.isEmpty
            ? [] : SavedTest.run(candidate.tests, against: try? Association(parsing: file), on: candidate.host)
        let report = gate.judge(
            Gate.Candidate(
                file: file, draft: candidate.older == nil ? candidate.draft.draft : nil, tests: tests,
                isVerified: candidate.isVerified, registered: registered, live: candidate.live,
                replaced: candidate.replacedApps, overridesSimilarity: overrides,
                approval: candidate.approval, bypassesApproval: bypassesApproval,
                purpose: candidate.older == nil ? .publishing : .goingBack))
        let failures = report.checks.filter { $0.outcome == .failed }.map { failure($0.name.rawValue, $0.detail) }
        let all = failures + blockedReasons(of: candidate)
        return verdict(all.isEmpty ? .passed : .refused, candidate, file, report, all)
    }

    /// The reasons why a domain cannot be published, apart from the gate's checks.
    private func blockedReasons(of candidate: DomainCandidate) -> [JSONValue] {
        var blockedReasons: [JSONValue] = []
        if candidate.isAlias {
            blockedReasons.append(failure("alias", "The domain is now an alias: it serves the file of another domain."))
        }
        if candidate.withdrawalDueAt != nil {
            blockedReasons.append(
                failure("withdrawal", "The host is being withdrawn. Undo the withdrawal first, or leave the host out."))
        }
        if candidate.isWithdrawn, !bringsBack {
            blockedReasons.append(
                failure(
                    "withdrawal",
                    "The host was withdrawn, and a release by label does not bring it back. Remove the label, or publish "
                        + "the host by name first."))
        }
        return blockedReasons
    }

    private func failure(_ check: String, _ detail: String) -> JSONValue {
        ["check": .string(check), "detail": .string(detail)]
    }

    private func verdict(
        _ state: ReleaseDomain.State, _ candidate: DomainCandidate, _ file: [UInt8], _ report: GateReport?,
        _ failures: [JSONValue]
    ) -> ReleaseVerdict {
        ReleaseVerdict(
            host: candidate.host, state: state,
            draftRevision: candidate.older == nil ? candidate.draft.revision : nil, file: file,
            report: report?.keptJSON, testResults: .array(report?.tests.map(\.json) ?? []), failures: failures,
            madeAgainst: candidate.liveActivation,
            bypassesApproval: report?.bypassesApproval ?? false)
    }
}

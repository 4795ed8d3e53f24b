import AASA
import Storage
import StrictJSON

/// Judges the domains of a release, several at a time. Pure: the same candidates get the same verdicts.
struct ReleaseJudge: Sendable {
    /// The number of domains per task. It is large enough that the cost of starting a task does not matter.
    private static let share = 32

    private let gate = Gate()
    private let overrides: Bool
    private let bringsBack: Bool

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - overrides: Whether files that are very different from the live one pass.
    ///   - bringsBack: Whether withdrawn hosts pass. A user who lists a host wants to publish it. A user who selects a
    ///     label may not know about the host.
    init(overrides: Bool, bringsBack: Bool = true) {
        self.overrides = overrides
        self.bringsBack = bringsBack
    }

    /// Returns a verdict for each candidate, in any order.
    ///
    /// - Parameter registered: The apps of the candidates that are registered in the organization.
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
                purpose: candidate.older == nil ? .publishing : .goingBack))
        let failures = report.checks.filter { $0.outcome == .failed }.map { failure($0.name.rawValue, $0.detail) }
        let all = failures + blockedReasons(of: candidate)
        return verdict(all.isEmpty ? .passed : .refused, candidate, file, report, all)
    }

    /// The reasons to refuse a publication, apart from the gate's checks.
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
            madeAgainst: candidate.liveActivation)
    }
}

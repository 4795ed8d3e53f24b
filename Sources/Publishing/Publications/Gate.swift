public import AASA
public import Storage

/// Decides whether a file can be saved as a version and published. It is pure: the same candidate always gets the same
/// report.
public struct Gate: Sendable {
    /// The purpose of a check. Faults that do not block this purpose are still reported.
    public enum Purpose: Hashable, Sendable {
        /// Saving a version. The requirements for going live do not block it.
        case freezing
        /// Going live for the first time.
        case publishing
        /// Making an older version live again. Rules that are newer than the version do not block it.
        case goingBack
    }

    /// A file to judge, and the data about its domain that the gate needs.
    public struct Candidate: Sendable {
        /// The file's exact bytes.
        public var file: [UInt8]
        /// The draft that generated the file, or `nil` for an older version.
        public var draft: Draft?
        /// The results of the domain's tests for these bytes.
        public var tests: [SavedTestResult]
        /// True if the organization holds the host's claim.
        public var isVerified: Bool
        /// The apps in the file that are registered in the organization.
        public var registered: Set<AppID>
        /// The live file, or `nil` if no version is live.
        public var live: [UInt8]?
        /// The replacements of apps in the draft since the live file was saved, oldest first.
        public var replaced: [ReplacedApp]
        /// True if the requester gave a reason for publishing a file that differs greatly from the live one.
        public var overridesSimilarity: Bool
        /// The approvals that the file needs and has, or `nil` if it needs none.
        public var approval: ApprovalNeed?
        /// True if the requester gave a reason for publishing without the required approvals.
        public var bypassesApproval: Bool
        /// The purpose of the check.
        public var purpose: Purpose

        /// Creates a candidate.
        public init(
            file: [UInt8], draft: Draft?, tests: [SavedTestResult] = [], isVerified: Bool,
            registered: Set<AppID>, live: [UInt8]?, replaced: [ReplacedApp] = [], overridesSimilarity: Bool,
            approval: ApprovalNeed? = nil, bypassesApproval: Bool = false, purpose: Purpose
        ) {
            self.file = file
            self.draft = draft
            self.tests = tests
            self.isVerified = isVerified
            self.registered = registered
            self.live = live
            self.replaced = replaced
            self.overridesSimilarity = overridesSimilarity
            self.approval = approval
            self.bypassesApproval = bypassesApproval
            self.purpose = purpose
        }
    }

    /// The maximum size of a file that Apple's systems read, in bytes.
    public static let sizeLimit = Association.maximumSize
    /// The size of a file is suspicious if it is less than half or more than double that of the live file, and if they
    /// differ by more than this number of bytes.
    public static let suspiciousDifference = 4_096

    /// Creates a gate.
    public init() {}

    /// Runs all checks on a candidate, even if one fails.
    public func judge(_ candidate: Candidate) -> GateReport {
        let lint =
            candidate.draft?.lint(candidate.file, registered: candidate.registered)
            ?? Association.lint(candidate.file, registered: candidate.registered)
        let checks = [
            generated(candidate), parsedBack(candidate), linted(candidate, lint.findings), tested(candidate),
            sized(candidate), verified(candidate), similar(candidate),
        ]
        return GateReport(
            checks: checks + (candidate.approval.map { [approved(candidate, $0)] } ?? []), findings: lint.findings,
            tests: candidate.tests, size: candidate.file.count,
            sha256: digest(candidate.file))
    }

    private func generated(_ candidate: Candidate) -> GateReport.Check {
        guard candidate.draft != nil else {
            return check(.generate, nil, "The bytes of the saved version are used.", candidate)
        }
        return check(
            .generate, candidate.file.isEmpty ? "The draft generates an empty file." : nil,
            "The draft generates a file of \(candidate.file.count) bytes.", candidate)
    }

    private func parsedBack(_ candidate: Candidate) -> GateReport.Check {
        let passing = "The file reads back correctly."
        do {
            let parsed = try Association(parsing: candidate.file)
            let isSame = candidate.draft.map { $0.association() == parsed } ?? true
            return check(
                .parse, isSame ? nil : "The generated file does not match the draft. This is a bug in Waymark.",
                passing, candidate)
        } catch {
            return check(.parse, "The file cannot be read: \(error)", passing, candidate)
        }
    }

    private func linted(_ candidate: Candidate, _ findings: [Finding]) -> GateReport.Check {
        let errors = findings.count { $0.severity == .error }
        let others = findings.count - errors
        return check(
            .lint, errors == 0 ? nil : "Lint found \(counted(errors, "error")).",
            others == 0 ? "Lint found no problems." : "Lint found no errors, but \(counted(others, "other finding")).",
            candidate)
    }

    private func tested(_ candidate: Candidate) -> GateReport.Check {
        let total = candidate.tests.count
        let failed = candidate.tests.count { !$0.result.passed }
        return check(
            .tests, failed == 0 ? nil : "\(failed) of \(counted(total, "test")) failed.",
            total == 0 ? "The domain has no tests." : "\(counted(total, "test")) passed.", candidate)
    }

    /// Checks the size. Apple's limit is "128 KB maximum, uncompressed": 131,072 bytes are read, 131,073 are not.
    private func sized(_ candidate: Candidate) -> GateReport.Check {
        let size = candidate.file.count
        return check(
            .size,
            size <= Gate.sizeLimit
                ? nil
                : "The file has \(size) bytes; Apple's systems ignore files of more than \(Gate.sizeLimit) bytes.",
            "\(size) of at most \(Gate.sizeLimit) bytes.", candidate)
    }

    private func verified(_ candidate: Candidate) -> GateReport.Check {
        let failing: GateReport.Check.Outcome = candidate.purpose == .freezing ? .informative : .failed
        return GateReport.Check(
            name: .verified, outcome: candidate.isVerified ? .passed : failing,
            detail: candidate.isVerified
                ? "The domain is verified." : "The domain is not verified. Verify it first.")
    }

    /// Checks the similarity to the live file. Fails if the size is suspicious, or if an app is missing that was not
    /// replaced.
    private func similar(_ candidate: Candidate) -> GateReport.Check {
        guard let live = candidate.live else {
            return check(.similarity, nil, "Nothing is live to compare with.", candidate)
        }
        let apps = RemovedApps(from: live, to: candidate.file, candidate.replaced)
        if let fault = sizeJump(from: live.count, to: candidate.file.count) ?? apps.fault {
            let failing: GateReport.Check.Outcome = candidate.overridesSimilarity ? .overridden : .failed
            return GateReport.Check(
                name: .similarity, outcome: candidate.purpose == .publishing ? failing : .informative, detail: fault)
        }
        if let remark = apps.remark {
            return GateReport.Check(name: .similarity, outcome: .informative, detail: remark)
        }
        return check(.similarity, nil, "Similar to the live file.", candidate)
    }

    /// Checks the approvals. Going back to an older version needs none, because it must never be blocked.
    private func approved(_ candidate: Candidate, _ need: ApprovalNeed) -> GateReport.Check {
        let counts = "\(counted(need.required, "approval")) required, \(need.given) given."
        let (outcome, advice): (GateReport.Check.Outcome, String) =
            switch (need.isMet, candidate.purpose, candidate.bypassesApproval) {
            case (true, _, _): (.passed, "")
            case (_, .freezing, _), (_, .goingBack, _): (.informative, "")
            case (_, .publishing, false): (.failed, " Request approval of exactly this file.")
            case (_, .publishing, true) where need.isBypasser: (.overridden, "")
            case (_, .publishing, true):
                (.failed, " You are not one of the people who can publish without the approvals.")
            }
        return GateReport.Check(name: .approval, outcome: outcome, detail: counts + advice)
    }

    private func sizeJump(from old: Int, to new: Int) -> String? {
        guard abs(old - new) > Gate.suspiciousDifference, new < old - new || new - old > old else { return nil }
        return "The file has \(new) bytes; the live file has \(old)."
    }

    private func check(
        _ name: GateReport.Check.Name, _ fault: String?, _ passing: String, _ candidate: Candidate
    ) -> GateReport.Check {
        let failing: GateReport.Check.Outcome = candidate.purpose == .goingBack ? .informative : .failed
        return GateReport.Check(name: name, outcome: fault == nil ? .passed : failing, detail: fault ?? passing)
    }

    private func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}

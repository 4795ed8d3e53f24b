public import AASA
public import Storage

/// Decides whether a file may be frozen and published. Pure: the same candidate gets the same report.
public struct Gate: Sendable {
    /// What a candidate is judged for; a fault that is no obstacle to it is reported all the same.
    public enum Purpose: Hashable, Sendable {
        /// To be frozen: whether it may go live is not asked yet.
        case freezing
        /// To go live for the first time.
        case publishing
        /// To go live again: going back is never blocked by rules made since.
        case goingBack
    }

    /// A file and what has to be known about its domain to judge it.
    public struct Candidate: Sendable {
        /// The file's exact bytes.
        public var file: [UInt8]
        /// What the file was generated from; `nil` for a version frozen earlier.
        public var draft: Draft?
        /// What came of the domain's tests, run against these bytes.
        public var tests: [SavedTestResult]
        /// The organization holds the claim for the host.
        public var isVerified: Bool
        /// The apps of the organization's registry that the file names.
        public var registered: Set<AppID>
        /// What is live now; `nil` when nothing is.
        public var live: [UInt8]?
        /// The replacements of apps in the draft since the live file was frozen, in their order.
        public var replaced: [ReplacedApp]
        /// The requester knows that the file differs much from what is live, and has given a reason.
        public var overridesSimilarity: Bool
        /// What is to be done with it.
        public var purpose: Purpose

        /// A candidate.
        public init(
            file: [UInt8], draft: Draft?, tests: [SavedTestResult] = [], isVerified: Bool,
            registered: Set<AppID>, live: [UInt8]?, replaced: [ReplacedApp] = [], overridesSimilarity: Bool,
            purpose: Purpose
        ) {
            self.file = file
            self.draft = draft
            self.tests = tests
            self.isVerified = isVerified
            self.registered = registered
            self.live = live
            self.replaced = replaced
            self.overridesSimilarity = overridesSimilarity
            self.purpose = purpose
        }
    }

    /// Apple's systems stop reading a file after this many bytes.
    public static let sizeLimit = Association.maximumSize
    /// A file that is twice or half the live one is suspicious when it is also this many bytes apart.
    public static let suspiciousDifference = 4_096

    /// A gate.
    public init() {}

    /// Judges a candidate by every rule; nothing stops at the first fault.
    public func judge(_ candidate: Candidate) -> GateReport {
        let lint =
            candidate.draft?.lint(candidate.file, registered: candidate.registered)
            ?? Association.lint(candidate.file, registered: candidate.registered)
        let checks = [
            generated(candidate), parsedBack(candidate), linted(candidate, lint.findings), tested(candidate),
            sized(candidate), verified(candidate), similar(candidate),
        ]
        return GateReport(
            checks: checks, findings: lint.findings, tests: candidate.tests, size: candidate.file.count,
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

    /// "128 KB maximum, uncompressed": 131,072 bytes are read, 131,073 are not.
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
                ? "The host is verified." : "The host is not verified. Verify the domain first.")
    }

    /// Less than half or more than double and more than 4 KiB apart, or an app gone that no replacement accounts for.
    private func similar(_ candidate: Candidate) -> GateReport.Check {
        guard let live = candidate.live else {
            return check(.similarity, nil, "Nothing is live to compare with.", candidate)
        }
        let apps = AppsGone(from: live, to: candidate.file, candidate.replaced)
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

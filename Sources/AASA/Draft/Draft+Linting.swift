import StrictJSON

extension Draft {
    /// Examines the file that the draft makes, and names each rule that iOS 9 to 12, where they are to be served, get
    /// otherwise than it is meant (WM061). That takes the place of what lint concludes from `paths` (WM035, WM036),
    /// which nobody writes by hand here.
    ///
    /// - Parameters:
    ///   - file: The bytes of ``association()``.
    ///   - registered: The apps that are known; others give a notice. Nil asks nothing of the kind.
    public func lint(_ file: [UInt8], registered: Set<AppID>? = nil) -> LintReport {
        let report = Association.lint(file, registered: registered)
        guard compatibility == .ios9, let document = try? AssociationDocument(parsing: file) else { return report }
        let others = report.findings.filter { $0.code != .pathsDisagree && $0.code != .pathsSayLess }
        let findings = others + lossFindings(document)
        let offsets = findings.enumerated().map { (offset: $1.position?.offset ?? 0, index: $0) }
        return LintReport(
            size: report.size, findings: offsets.sorted { $0 < $1 }.prefix(LintReport.limit).map { findings[$0.index] },
            isTruncated: report.isTruncated || findings.count > LintReport.limit)
    }

    private func lossFindings(_ document: AssociationDocument) -> [Finding] {
        let places = rulePlaces
        return legacyLosses.compactMap { loss in
            guard let place = places[loss.rule] else { return nil }
            let problem = FindingKind.lostOnOldSystems(loss)
            return Finding(
                code: problem.code, pointer: place, position: document.json.position(of: place),
                message: problem.message, remedy: problem.remedy, fix: nil)
        }
    }
}

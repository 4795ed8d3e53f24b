import StrictJSON

extension Draft {
    /// Checks the file that the draft generates. If the draft supports iOS 9 to 12, the report lists each rule that
    /// `paths` cannot express (WM061). These findings replace WM035 and WM036: the `paths` of a draft are generated, so
    /// users cannot edit them.
    ///
    /// - Parameters:
    ///   - file: The bytes of ``association()``.
    ///   - registered: The known apps. Other apps get a notice. If `nil`, apps are not checked.
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

import AASA
import StrictJSON

/// A report for people: `file:line:column: severity WM###: message`, the remedy below, a summary at the end.
struct LintText {
    let isColored: Bool

    func of(_ file: String, _ report: LintReport, mended: Int) -> String {
        let counted = report.findings.isEmpty ? "nothing to say" : words(report.findings)
        let fixed = mended == 0 ? "" : ", \(mended) fixed"
        let summary = "\(file): \(report.size) bytes, \(counted)\(fixed)"
        return (report.findings.map { line(file, $0) } + [summary]).joined(separator: "\n")
    }

    private func line(_ file: String, _ finding: Finding) -> String {
        let place = finding.position.map { ":\($0.line):\($0.column)" } ?? ""
        let kind = colored("\(finding.severity.rawValue) \(finding.code.rawValue)", finding.severity)
        let fix = finding.fix.map { "\n    Fix: \($0.title)." } ?? ""
        return "\(file)\(place): \(kind): \(finding.message)\n    \(finding.remedy)\(fix)"
    }

    /// "1 error, 2 warnings".
    private func words(_ findings: [Finding]) -> String {
        [Finding.Severity.error, .warning, .notice].compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }.joined(separator: ", ")
    }

    private func colored(_ text: String, _ severity: Finding.Severity) -> String {
        guard isColored else { return text }
        let color =
            switch severity {
            case .error: 31
            case .warning: 33
            case .notice: 36
            }
        return "\u{1B}[1;\(color)m\(text)\u{1B}[0m"
    }
}

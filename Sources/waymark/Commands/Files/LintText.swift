import AASA
import StrictJSON

/// A lint report as text. Each finding has a line `file:line:column: severity WM###: message` and its remedy. A summary
/// ends the report.
enum LintText {
    static func lines(_ file: String, _ report: LintReport, mended: Int) -> [TerminalText] {
        let counted = report.findings.isEmpty ? "no problems found" : words(report.findings)
        let fixed = mended == 0 ? "" : ", \(mended) fixed"
        let summary = "\(file): \(report.size) bytes, \(counted)\(fixed)"
        return report.findings.flatMap { lines(file, $0) } + [TerminalText(summary)]
    }

    private static func lines(_ file: String, _ finding: Finding) -> [TerminalText] {
        let place = finding.position.map { ":\($0.line):\($0.column)" } ?? ""
        let kind = TerminalText("\(finding.severity.rawValue) \(finding.code.rawValue)", color(finding.severity))
        return [
            TerminalText("\(file)\(place): ") + kind + TerminalText(": \(finding.message)"),
            TerminalText("    \(finding.remedy)"),
        ] + (finding.fix.map { [TerminalText("    Fix: \($0.title).")] } ?? [])
    }

    /// "1 error, 2 warnings".
    private static func words(_ findings: [Finding]) -> String {
        [Finding.Severity.error, .warning, .notice].compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }.joined(separator: ", ")
    }

    private static func color(_ severity: Finding.Severity) -> TerminalText.Color {
        switch severity {
        case .error: .red
        case .warning: .yellow
        case .notice: .cyan
        }
    }
}

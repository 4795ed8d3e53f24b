import StrictJSON

/// Formats a gate report as text.
enum GateReportText {
    /// A line for each lint error and each failed test, because the messages of the checks do not contain them.
    static func lines(_ report: JSONValue?) -> [String] {
        let errors = (report?["findings"]?.array ?? []).filter { $0["severity"]?.string == "error" }
        let findings = errors.map { finding in
            "\(finding["code"]?.string ?? "") \(finding["pointer"]?.string ?? ""): \(finding["message"]?.string ?? "")"
        }
        let failures = report?["tests"]?["failures"]?.array ?? []
        return findings + failures.map { "test \($0["url"]?.string ?? "") failed" }
    }
}

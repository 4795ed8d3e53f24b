import StrictJSON

/// The text of a gate report.
enum GateReportText {
    /// A line for each lint error and each failed test. The messages of the checks do not contain these details.
    static func lines(_ report: JSONValue?) -> [String] {
        let errors = (report?["findings"]?.array ?? []).filter { $0["severity"]?.string == "error" }
        let findings = errors.map { finding in
            "\(finding["code"]?.string ?? "") \(finding["pointer"]?.string ?? ""): \(finding["message"]?.string ?? "")"
        }
        let failures = report?["tests"]?["failures"]?.array ?? []
        return findings + failures.map { "test \($0["url"]?.string ?? "") failed" }
    }
}

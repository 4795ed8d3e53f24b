import StrictJSON

/// What the gate found, at a terminal.
enum GateReportText {
    /// A line for each error and each test that failed: what there is beyond the sentence of each check.
    static func lines(_ report: JSONValue?) -> [String] {
        let errors = (report?["findings"]?.array ?? []).filter { $0["severity"]?.string == "error" }
        let findings = errors.map { finding in
            "\(finding["code"]?.string ?? "") \(finding["pointer"]?.string ?? ""): \(finding["message"]?.string ?? "")"
        }
        let failures = report?["tests"]?["failures"]?.array ?? []
        return findings + failures.map { "test \($0["url"]?.string ?? "") failed" }
    }
}

public import StrictJSON

extension Finding {
    /// The finding for programs: code, severity, pointer, line and column (null where it has no place), message, remedy.
    public var json: JSONValue {
        [
            "code": .string(code.rawValue), "severity": .string(severity.rawValue),
            "pointer": .string(pointer.description), "line": position.map { .int($0.line) } ?? .null,
            "column": position.map { .int($0.column) } ?? .null, "message": .string(message),
            "remedy": .string(remedy),
        ]
    }
}

extension LintReport {
    /// The report for programs: the file's size in bytes, and the findings in order.
    public var json: JSONValue { ["size": .int(size), "findings": .array(findings.map(\.json))] }
}

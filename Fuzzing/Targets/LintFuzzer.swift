import AASA
import StrictJSON

/// For any bytes, lint must end, return the same findings twice, stay within its limit, and refer to places in the
/// file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let report = Association.lint(input)
    precondition(report == Association.lint(input))
    precondition(report.size == count)
    precondition(report.findings.count <= LintReport.limit + 2)
    for finding in report.findings {
        precondition(!finding.message.isEmpty && !finding.remedy.isEmpty)
        if let position = finding.position { precondition(position.offset >= 0 && position.offset <= count) }
    }
    return 0
}

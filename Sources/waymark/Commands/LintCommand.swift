import AASA
import ArgumentParser
import StrictJSON

/// `waymark lint`.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Says what is wrong with association files.",
        discussion: """
            Each finding has a line and column, a stable code (WM…) and a remedy. Exit code 1 when a file has errors; \
            with --strict, when it has warnings as well.

              waymark lint .well-known/apple-app-site-association
              curl -s https://www.example.com/.well-known/apple-app-site-association | waymark lint -
            """)

    @Argument(help: "The files; - reads standard input.") var files: [String]
    @Flag(help: "Warnings count as errors.") var strict = false
    @Flag(help: "Answer in JSON.") var json = false

    func run() throws {
        let reports = try files.map { (file: $0, report: Association.lint(try InputFile.read($0))) }
        if json {
            let all = reports.map { JSONValue.object(JSONObject([("file", .string($0.file))] + $0.report.members)) }
            Console.say(String(decoding: JSONValue.array(all).bytes(.pretty), as: UTF8.self))
        } else {
            for (file, report) in reports { Console.say(text(file, report)) }
        }
        let worst = reports.flatMap(\.report.findings).map(\.severity)
        if worst.contains(.error) || (strict && worst.contains(.warning)) { throw Ending.notRight }
    }

    private func text(_ file: String, _ report: LintReport) -> String {
        let summary =
            "\(file): \(report.size) bytes, "
            + (report.findings.isEmpty ? "nothing to say" : Counting.words(report.findings))
        return (report.findings.map { line(file, $0) } + [summary]).joined(separator: "\n")
    }

    private func line(_ file: String, _ finding: Finding) -> String {
        let place = finding.position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(place): \(finding.severity.rawValue) \(finding.code.rawValue): \(finding.message)\n"
            + "    \(finding.remedy)"
    }
}

private enum Counting {
    /// "1 error, 2 warnings".
    static func words(_ findings: [Finding]) -> String {
        [Finding.Severity.error, .warning, .notice].compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }.joined(separator: ", ")
    }
}

extension LintReport {
    fileprivate var members: [(String, JSONValue)] { json.object?.members.map { ($0.name, $0.value) } ?? [] }
}

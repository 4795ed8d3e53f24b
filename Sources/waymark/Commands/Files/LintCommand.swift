import AASA
import ArgumentParser
import SignedFile
import StrictJSON

/// `waymark lint`.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Checks association files, and fixes some problems.",
        discussion: """
            Each finding has a line and column, a stable code (WM…) and a remedy.

            In a directory, lint checks files named apple-app-site-association, with or without .json, files that end in \
            .aasa, and files that end in .json and have a service. It does not follow symbolic links. In a signed file, it \
            checks the text and not the signature. --fix keeps the permissions and owner of a file, and does not change \
            signed files. --app shows the services of each file that name an app.

            Exit codes: 0 no errors; 1 a file has errors, or with --strict warnings, or lacks an app given with --app; \
            2 wrong usage; 3 other errors.

              waymark lint .well-known/apple-app-site-association
              waymark lint --fix sites/
              waymark lint --app A7K2M9Q4X1.com.acme.shop apple-app-site-association
              curl -s https://www.example.com/.well-known/apple-app-site-association | waymark lint -
            """)

    @Argument(help: "The files and directories; - reads standard input.") var files: [String]
    @Flag(help: "Treat warnings as errors.") var strict = false
    @Flag(help: "Apply the fixes that do not change the outcome of any URL, and rewrite the files.") var fix = false
    @Option(name: .customLong("app"), help: "Show where each file names this app ID. Can be repeated.")
    var apps: [String] = []
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        let inputs = files.count { $0 == "-" }
        if fix, inputs > 0 { throw ValidationError("--fix cannot rewrite standard input.") }
        _ = try appIDs()
        if inputs > 1 { throw ValidationError("Only one of the files can be standard input.") }
    }

    func run() throws {
        let paths = try files.flatMap { try LintFiles.files(under: $0) }
        if paths.isEmpty { throw Refusal("no association file was found in \(files.joined(separator: ", "))") }
        let reports = try paths.map { path in
            let mended = fix ? try LintFixing.mend(path) : 0
            let bytes = try InputFile.read(path)
            let text = (try? ServedFile(bytes))?.text ?? []
            let mentions = try appIDs().map { Association.mentions(of: $0, in: text) }
            return (file: path, report: ServedFile.lint(bytes), mentions: mentions, mended: mended)
        }
        if json {
            let all = reports.map { entry -> JSONValue in
                var members = [("file", JSONValue.string(entry.file))] + entry.report.members
                if fix { members.append(("fixed", .int(entry.mended))) }
                if !apps.isEmpty { members.append(("apps", .array(entry.mentions.map(\.json)))) }
                return .object(JSONObject(members))
            }
            try Console.say(JSONValue.array(all))
        } else {
            for (file, report, mentions, mended) in reports {
                try Console.say(
                    LintText.lines(file, report, mended: mended)
                        + mentions.map { TerminalText("\(file): \($0.sentence)") })
            }
        }
        let isAppMissing = reports.contains { $0.mentions.contains(where: \.places.isEmpty) }
        let worst = reports.flatMap(\.report.findings).map(\.severity)
        if isAppMissing || worst.contains(.error) || (strict && worst.contains(.warning)) { throw Ending.notRight }
    }

    private func appIDs() throws -> [AppID] {
        try apps.map { text in
            do throws(InvalidAppID) {
                return try AppID(text)
            } catch {
                throw ValidationError("--app \"\(text)\": it \(error.detail).")
            }
        }
    }
}

extension LintReport {
    fileprivate var members: [(String, JSONValue)] { json.object?.members.map { ($0.name, $0.value) } ?? [] }
}

import AASA
import ArgumentParser
import SignedFile
import StrictJSON

/// `waymark lint`.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Says what is wrong with association files, and mends some of it.",
        discussion: """
            Each finding has a line and column, a stable code (WM…) and a remedy. Exit code 1 when a file has errors; \
            with --strict, when it has warnings as well. Below a directory, files named apple-app-site-association, with \
            or without .json, are examined, those ending in .aasa, and those ending in .json that hold a service; \
            symbolic links are not followed. --fix keeps a file's permissions and owner, and leaves signed files alone. Of \
            a signed file the text inside is examined; its signature is not checked. --app says which services of each \
            file name an app; exit code 1 when none does.

              waymark lint .well-known/apple-app-site-association
              waymark lint --fix sites/
              waymark lint --app A7K2M9Q4X1.com.acme.shop apple-app-site-association
              curl -s https://www.example.com/.well-known/apple-app-site-association | waymark lint -
            """)

    @Argument(help: "The files and directories; - reads standard input.") var files: [String]
    @Flag(help: "Warnings count as errors.") var strict = false
    @Flag(help: "Rewrite files with the fixes that keep what every URL comes out as.") var fix = false
    @Option(name: .customLong("app"), help: "Say where each file names this app ID. Can be repeated.")
    var apps: [String] = []
    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        let inputs = files.count { $0 == "-" }
        if fix, inputs > 0 { throw ValidationError("--fix rewrites files; it cannot rewrite standard input.") }
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

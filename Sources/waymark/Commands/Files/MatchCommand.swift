public import AASA
public import ArgumentParser
import Glibc
import HTTPAPI
import StrictJSON

/// `waymark match`.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Shows which app opens a URL, and the deciding rule.",
        discussion: """
            For each URL, prints the outcome (opens, excluded, none), the app, and the deciding rule in the file. With \
            --explain, prints every tested rule and why it matches or not. With --expect, the exit code is 1 if a URL has \
            another outcome.

              waymark match apple-app-site-association https://www.example.com/buy/42
              waymark match --explain FILE /help/website/contact
              waymark match --expect ABCDE12345.com.example.app FILE /buy/42

            With --file, the files of several domains of an app's entitlement are used in the same order as on a device: \
            first the file of the exact host and then, if no rule matches, the file of a wildcard.

              waymark match --app APP --file www.json@www.example.com --file 'all.json@*.example.com' URL

            With --lines, reads a JSON object per line from standard input, {"id", "aasa", "domain", "appId", "url"}, and \
            prints an answer per line, {"id", "decision": "match" | "exclude" | "no_match"} or {"id", "error"}.
            """)

    @Argument(help: "The association file; - reads standard input. Not with --file.") var file: String?
    @Argument(help: "The URLs, or paths with optional query and fragment.") var urls: [String] = []
    @Option(
        name: .customLong("file"), parsing: .singleValue,
        help: "FILE@DOMAIN: a file and its domain of the app's entitlement. Can be repeated.")
    var entitled: [EntitledFile] = []
    @Option(help: "Only this app, by its app ID.") var app: String?
    @Flag(help: "Show every tested rule, and why it matches or not.") var explain = false
    @Option(help: "The system: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later).") var os = SystemVersion.latest
    @Option(
        name: [.customLong("entitlement"), .customLong("domain")], parsing: .singleValue,
        help: "A domain of the app's entitlement, after applinks:, such as *.example.com. Can be repeated.")
    var entitlements: [String] = []
    @Option(help: "The expected outcome of every URL: an app ID, excluded or none.") var expect: String?
    @Flag(help: "Print JSON.") var json = false
    @Flag(help: "Read a request per line from standard input.") var lines = false

    func validate() throws {
        if lines {
            guard file == nil, entitled.isEmpty, !explain, !json, expect == nil, app == nil, entitlements.isEmpty,
                os == .latest
            else {
                throw ValidationError("--lines cannot be used with other arguments; each line is a complete request.")
            }
        } else if !entitled.isEmpty {
            guard app != nil, entitlements.isEmpty else {
                throw ValidationError("--file requires --app and cannot be used with --entitlement.")
            }
            if file == nil { throw ValidationError("Name at least one URL.") }
            if entitled.count(where: { $0.path == "-" }) > 1 {
                throw ValidationError("Only one of the files can be standard input.")
            }
        } else if file == nil {
            throw ValidationError("Name the association file and at least one URL.")
        } else if urls.isEmpty {
            throw ValidationError("Name at least one URL.")
        }
    }

    func run() throws {
        guard let file else { return try answerLines() }
        let evaluations: [Evaluation]
        if let app, !entitled.isEmpty {
            evaluations = try evaluate([file] + urls, app)
        } else {
            evaluations = try evaluate(urls, in: file)
        }
        if json {
            try Console.say(JSONValue.array(evaluations.map(\.json)))
        } else {
            try Console.say(evaluations.flatMap(\.text).map(text))
        }
        try checkExpectation(evaluations)
    }

    private var explanation: Explainer.Explanation {
        guard explain else { return .nothing }
        return app.map { .app($0) } ?? .allApps
    }

    private func evaluate(_ urls: [String], in file: String) throws -> [Evaluation] {
        let explainer = Explainer(try association(file), os: os)
        try requireApps(explainer.appIDs)
        let domains = entitlements.map { TypedURL.inASCII(entitlement: $0) }
        return urls.map { url in
            let evaluation = TypedURL.evaluation(of: url) {
                explainer.evaluate($0, entitlementDomains: domains, explaining: explanation)
            }
            return app.map { evaluation.limited(to: $0) } ?? evaluation
        }
    }

    private func evaluate(_ urls: [String], _ app: String) throws -> [Evaluation] {
        let associations = try entitled.map { (TypedURL.inASCII(entitlement: $0.domain), try association($0.path)) }
        try requireApps(associations.flatMap { $0.1.appIDs })
        let files = EntitledFiles(associations, os: os)
        return urls.map { url in
            TypedURL.evaluation(of: url) { files.evaluate($0, app: app, explaining: explanation) }
        }
    }

    private func association(_ file: String) throws -> Association {
        do {
            return try InputFile.association(file).association
        } catch let error as UnreadableAssociation {
            Console.complain(error.complaint)
            throw Ending.notRight
        }
    }

    /// Checks the app IDs in the options. Otherwise a misspelled app ID would look like an app without rules, or like
    /// an unexpected outcome.
    private func requireApps(_ apps: [String]) throws {
        if let app { try requireApp(app, apps, "--app must be an app ID") }
        if let expect, !["excluded", "none"].contains(expect) {
            try requireApp(expect, apps, "--expect must be an app ID, excluded or none")
        }
    }

    /// Checks an app ID. If the file contains it, it is accepted even if it is malformed.
    private func requireApp(_ app: String, _ apps: [String], _ rule: String) throws {
        if apps.contains(app) { return }
        do {
            _ = try AppID(app)
        } catch {
            throw ValidationError("\(rule); \(app) \(error.detail).")
        }
    }

    private func checkExpectation(_ evaluations: [Evaluation]) throws {
        guard let expect else { return }
        let others = evaluations.filter { !isExpected($0, expect) }
        for evaluation in others where !json {
            Console.complain(
                TerminalText.shown(
                    "\(evaluation.url): expected \(expect), is \(evaluation.app ?? evaluation.outcome.rawValue)"))
        }
        if !others.isEmpty { throw Ending.notRight }
    }

    private func isExpected(_ evaluation: Evaluation, _ expected: String) -> Bool {
        switch expected {
        case "excluded", "none": evaluation.outcome.rawValue == expected
        default: evaluation.app == expected
        }
    }

    private func text(_ line: Evaluation.TextLine) -> TerminalText {
        TerminalText(String(repeating: "  ", count: line.depth)) + TerminalText(line.text, Self.color(line.role))
    }

    private static func color(_ role: Evaluation.TextLine.Role) -> TerminalText.Color? {
        switch role {
        case .question: .bold
        case .opens: .green
        case .excluded: .red
        case .warning: .yellow
        case .fails: .faint
        case .plain: nil
        }
    }

    /// Reads URLs from standard input. Prints the outcome of each line as soon as the line is read.
    private func answerLines() throws {
        var lines = MatchLines()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Refusal("standard input cannot be read: \(String(cString: strerror(errno)))")
            }
            let answers = count == 0 ? lines.end() : lines.read(buffer.prefix(count))
            if !answers.isEmpty { try Console.answer(answers) }
            if count == 0 { return }
        }
    }
}

/// A file and its domain as `FILE@DOMAIN`. The last `@` separates them, because a domain contains no `@`.
struct EntitledFile: ExpressibleByArgument {
    let path: String
    let domain: String

    init?(argument: String) {
        guard let mark = argument.lastIndex(of: "@") else { return nil }
        path = String(argument[..<mark])
        domain = String(argument[mark...].dropFirst())
        if path.isEmpty || domain.isEmpty { return nil }
    }
}

extension SystemVersion: ExpressibleByArgument {}

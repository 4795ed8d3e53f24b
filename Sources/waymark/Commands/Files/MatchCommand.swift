public import AASA
public import ArgumentParser
import Glibc
import HTTPAPI
import StrictJSON

/// `waymark match`.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Says which app opens a URL, and by which rule.",
        discussion: """
            For each URL: what becomes of it (opens, excluded, none), the app, and the rule in the file that decided. \
            With --explain, every rule that was tried and why it matches or not. With --expect, exit code 1 when a URL \
            comes out otherwise.

              waymark match apple-app-site-association https://www.example.com/buy/42
              waymark match --explain FILE /help/website/contact
              waymark match --expect ABCDE12345.com.example.app FILE /buy/42

            With --file, several domains of an app's entitlement are asked as a system asks them: the exact host's file \
            before a wildcard's, and that one only if the first gave no match.

              waymark match --app APP --file www.json@www.example.com --file 'all.json@*.example.com' URL

            With --lines, questions come one JSON object a line on standard input, {"id", "aasa", "domain", "appId", \
            "url"}, and are answered one a line, {"id", "decision": "match" | "exclude" | "no_match"} or {"id", "error"}.
            """)

    @Argument(help: "The association file; - reads standard input. Not with --file.") var file: String?
    @Argument(help: "The URLs, or paths with query and fragment on the file's own host.") var urls: [String] = []
    @Option(
        name: .customLong("file"), parsing: .singleValue,
        help: "FILE@DOMAIN: a file and the domain of the app's entitlement that it is for; may be given several times.")
    var entitled: [EntitledFile] = []
    @Option(help: "Only this app, by its app ID.") var app: String?
    @Flag(help: "Tell every rule that was tried, and why it matches or not.") var explain = false
    @Option(help: "The system: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later).") var os = SystemVersion.latest
    @Option(
        name: [.customLong("entitlement"), .customLong("domain")], parsing: .singleValue,
        help: "What the app's entitlement says after applinks:, such as *.example.com; may be given several times.")
    var entitlements: [String] = []
    @Option(help: "What has to come out for every URL: an app ID, excluded or none.") var expect: String?
    @Flag(help: "Answer in JSON.") var json = false
    @Flag(help: "Answer questions from standard input, a line each.") var lines = false

    func validate() throws {
        if lines {
            guard file == nil, entitled.isEmpty, !explain, !json, expect == nil, app == nil, entitlements.isEmpty,
                os == .latest
            else {
                throw ValidationError("--lines takes no other arguments: each line holds its own question.")
            }
        } else if !entitled.isEmpty {
            guard app != nil, entitlements.isEmpty else {
                throw ValidationError("--file needs --app, whose entitlement it is, and no --entitlement.")
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

    /// A typing error must not look like an app of which no rule speaks, or like an expectation that is not met.
    private func requireApps(_ apps: [String]) throws {
        if let app { try requireApp(app, apps, "--app takes an app ID") }
        if let expect, !["excluded", "none"].contains(expect) {
            try requireApp(expect, apps, "--expect takes an app ID, excluded or none")
        }
    }

    /// An app that the file names may be written as it likes.
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
            Console.complain(TerminalText.shown("not as expected (\(expect)): \(evaluation.url)"))
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

    /// Answers each line as soon as it is read.
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

/// `FILE@DOMAIN`; a domain has no `@`, so the last one parts them.
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

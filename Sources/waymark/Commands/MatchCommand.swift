public import AASA
public import ArgumentParser
import HTTPAPI
import StrictJSON

/// `waymark match`.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Says which app opens a URL, and by which rule.",
        discussion: """
            For each URL: what becomes of it (opens, excluded, none), the app, and the rule in the file that decided. \
            With --expect, exit code 1 when a URL comes out otherwise.

              waymark match apple-app-site-association https://www.example.com/buy/42
              waymark match --expect ABCDE12345.com.example.app FILE /buy/42
            """)

    @Argument(help: "The association file; - reads standard input.") var file: String
    @Argument(help: "The URLs, or paths with query and fragment on the file's own host.") var urls: [String]
    @Option(help: "The system: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later).") var os = SystemVersion.latest
    @Option(help: "What the app's entitlement says after applinks:, such as *.example.com.") var domain: String?
    @Option(help: "What has to come out for every URL: an app ID, excluded or none.") var expect: String?
    @Flag(help: "Answer in JSON.") var json = false

    func run() throws {
        let bytes = try InputFile.read(file)
        let association: Association
        do {
            association = try Association(parsing: bytes)
        } catch {
            Console.complain("\(file): \(error.detail)")
            throw Ending.notRight
        }
        let compiled = CompiledAssociation(association, os: os)
        let evaluations = urls.map { compiled.evaluate($0, entitlementDomain: domain) }
        if json {
            Console.say(String(decoding: JSONValue.array(evaluations.map(\.json)).bytes(.pretty), as: UTF8.self))
        } else {
            for evaluation in evaluations { Console.say(text(evaluation)) }
        }
        guard let expect else { return }
        let others = evaluations.filter { !isExpected($0, expect) }
        for evaluation in others where !json {
            Console.complain("not as expected (\(expect)): \(evaluation.url)")
        }
        if !others.isEmpty { throw Ending.notRight }
    }

    private func isExpected(_ evaluation: Evaluation, _ expected: String) -> Bool {
        switch expected {
        case "excluded", "none": evaluation.outcome.rawValue == expected
        default: evaluation.app == expected
        }
    }

    private func text(_ evaluation: Evaluation) -> String {
        var lines = ["\(evaluation.url)"]
        switch evaluation.outcome {
        case .opens: lines[0] += "\n  opens \(evaluation.app ?? "")"
        case .excluded: lines[0] += "\n  stays on the web: a rule excludes it"
        case .none: lines[0] += "\n  stays on the web: no rule speaks of it"
        }
        if let reason = evaluation.ineligibility { lines.append("  \(reason.detail)") }
        lines += evaluation.apps.map { verdict in
            "  \(verdict.app): \(verdict.outcome.rawValue)" + (verdict.decidedBy.map { " by \($0)" } ?? "")
        }
        return lines.joined(separator: "\n")
    }
}

extension SystemVersion: ExpressibleByArgument {}

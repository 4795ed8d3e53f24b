import AASA
import ArgumentParser
import StrictJSON

/// `waymark diff`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Says how two association files differ, and which URLs come out differently.",
        discussion: """
            Rules are compared by what they mean, so that defaults, explicit default values and another order of keys \
            make no difference. URLs are made from the patterns of both files; more can be given. Exit code 1 when the \
            files mean something else, 0 when they mean the same.

              waymark diff live.json draft.json
              curl -s https://www.example.com/.well-known/apple-app-site-association | waymark diff - draft.json
            """)

    @Argument(help: "The file before; - reads standard input.") var before: String
    @Argument(help: "The file after; - reads standard input.") var after: String
    @Option(
        help: """
            A file of URLs to try as well, one a line, \(Difference.maximumGiven) at most; empty lines and lines that \
            begin with # are left out.
            """)
    var urls: String?
    @Option(help: "A system: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later). Can be given several times.")
    var os: [SystemVersion] = []
    @Flag(help: "Answer in JSON.") var json = false

    /// Ten times of what is usual, because nobody else waits here: ten seconds or so at worst.
    private static let steps = 10 * Difference.usualSteps

    func validate() throws {
        if [before, after, urls].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("Only one of the files can be standard input.")
        }
    }

    func run() throws {
        let (old, new) = (try association(before), try association(after))
        let difference = old.difference(
            to: new, urls: try urls.map(URLList.read) ?? [], systems: os.isEmpty ? [.latest] : os, steps: Self.steps)
        if json {
            try Console.say(difference.json)
        } else {
            try Console.say(difference.report.map(text))
        }
        if !difference.isWithoutEffect { throw Ending.notRight }
    }

    private func association(_ file: String) throws -> Association {
        let bytes = try InputFile.read(file)
        do {
            return try Association(parsing: bytes)
        } catch {
            Console.complain("\(file): \(TerminalText.shown(error.detail))")
            throw Ending.failed
        }
    }

    private func text(_ line: ReportLine) -> TerminalText {
        let text = line.mark == .none ? line.text : "\(line.mark.rawValue) \(line.text)"
        return switch line.mark {
        case .added: TerminalText(text, .green)
        case .removed: TerminalText(text, .red)
        case .changed, .none: TerminalText(text)
        }
    }
}

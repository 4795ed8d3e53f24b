import AASA
import ArgumentParser
import StrictJSON

/// `waymark diff`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two association files: their rules, and the outcomes of URLs.",
        discussion: """
            Rules are compared by meaning: defaults, explicit default values and the order of keys make no difference. The \
            URLs are generated from the patterns of both files; you can add more with --urls. With --text, the text \
            difference is printed last, in unified format; both files are formatted the same way first, so white space and \
            the order of keys make no difference.

            Exit codes: 0 the files mean the same; 1 they do not; 2 wrong usage; 3 other errors.

              waymark diff live.json draft.json
              curl -s https://www.example.com/.well-known/apple-app-site-association | waymark diff - draft.json
            """)

    @Argument(help: "The old file; - reads standard input.") var before: String
    @Argument(help: "The new file; - reads standard input.") var after: String
    @Option(
        help: """
            A file with more URLs, one per line, at most \(Difference.maximumGiven). Empty lines and lines that start \
            with # are ignored.
            """)
    var urls: String?
    @Option(
        help: """
            A system: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later). Can be repeated. The default is iOS 14 and \
            later, and iOS 9 to 12 if a file has rules for them.
            """)
    var os: [SystemVersion] = []
    @Flag(help: "Also show the text difference.") var text = false
    @Flag(help: "Print JSON.") var json = false

    /// The maximum number of steps. It is ten times the default, because no other user has to wait: about ten seconds
    /// in the worst case.
    private static let steps = 10 * Difference.usualSteps

    func validate() throws {
        if [before, after, urls].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("Only one of the files can be standard input.")
        }
    }

    func run() throws {
        let (old, new) = (try file(before), try file(after))
        let (before, after) = (old.association, new.association)
        let difference = before.difference(
            to: after, urls: try urls.map(URLList.read) ?? [],
            systems: os.isEmpty ? before.systemsToCompare(with: after) : os, steps: Self.steps)
        let bytes = ByteDifference(from: old, to: new)
        if json {
            try Console.say(difference.json(bytes: bytes))
        } else {
            try Console.say(difference.report.map(shown) + [TerminalText(bytes.sentence)] + (text ? lines(bytes) : []))
        }
        if !difference.isWithoutEffect { throw Ending.notRight }
    }

    private func file(_ file: String) throws -> ByteDifference.File {
        do {
            return try InputFile.association(file)
        } catch let error as UnreadableAssociation {
            Console.complain(error.complaint)
            throw Ending.failed
        }
    }

    private func lines(_ bytes: ByteDifference) -> [TerminalText] {
        let lines = bytes.unified.utf8.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let rest = bytes.isTruncated ? [TerminalText("The difference is too large and was cut.")] : []
        return lines.map { TerminalText($0, $0.hasPrefix("+") ? .green : $0.hasPrefix("-") ? .red : nil) } + rest
    }

    private func shown(_ line: ReportLine) -> TerminalText {
        let text = line.mark == .none ? line.text : "\(line.mark.rawValue) \(line.text)"
        return switch line.mark {
        case .added: TerminalText(text, .green)
        case .removed: TerminalText(text, .red)
        case .changed, .none: TerminalText(text)
        }
    }
}

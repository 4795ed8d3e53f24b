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
            files mean something else, 0 when they mean the same. With --text the changes of the text come last, in the \
            unified format: both files laid out alike, so that white space and the order of keys make no difference.

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
    @Option(
        help: """
            A system: ios9 (9 to 12), ios13, ios13.5 or ios14 (and later). Can be given several times. Without, iOS 14 and \
            later, and iOS 9 to 12 if a file says something to them.
            """)
    var os: [SystemVersion] = []
    @Flag(help: "Show what changes in the text, too.") var text = false
    @Flag(help: "Answer in JSON.") var json = false

    /// Ten times of what is usual, because nobody else waits here: ten seconds or so at worst.
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
        let rest = bytes.isTruncated ? [TerminalText("The files are too large to show all of it: there is more.")] : []
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

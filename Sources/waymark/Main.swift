import ArgumentParser
import Glibc

/// The command `waymark`.
struct Waymark: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Manages Apple universal links: prevention before publishing, proof after it.",
        discussion: """
            Try it without any set-up: `waymark serve` starts everything on a private PostgreSQL and prints a sign-in \
            link. `waymark lint`, `waymark match` and `waymark diff` need no server at all.

            Exit codes: 0 fine; 1 the thing checked is not right; 2 wrong usage; 3 could not be done.
            Settings are environment variables (WAYMARK_…); docs/operations/settings.md lists them.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Checking files",
                subcommands: [LintCommand.self, MatchCommand.self, TestCommand.self, DiffCommand.self]),
            CommandGroup(
                name: "Publishing",
                subcommands: [
                    PublishCommand.self, ReleaseCommand.self, WithdrawCommand.self, ServingCommand.self,
                    SnippetCommand.self, ScheduleCommand.self, FreezeCommand.self, AppCommand.self, EventsCommand.self,
                ]),
            CommandGroup(name: "Running", subcommands: [ServeCommand.self, MigrateCommand.self, DatabaseCommand.self]),
            CommandGroup(
                name: "Administration",
                subcommands: [
                    OrganizationCommand.self, UserCommand.self, TokenCommand.self, DomainCommand.self, KeyCommand.self,
                ]),
        ])
}

/// How a command ends.
enum Ending {
    /// The thing checked is not right.
    static let notRight = ExitCode(1)
    /// The command was not understood.
    static let usage = ExitCode(2)
    /// It could not be done.
    static let failed = ExitCode(3)
}

@main
enum Main {
    @concurrent static func main() async {
        // A reader that has gone away, of a pipe or a socket, is an error of that write and not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let command: any ParsableCommand
        do {
            command = try Waymark.parseAsRoot()
        } catch {
            exit(reporting(error))
        }
        do {
            try await run(command)
        } catch let error as ValidationError {
            let usage = Waymark.usageString(for: type(of: command))
            Console.complain("Error: \(error.message)\nUsage: \(usage)")
            exit(Ending.usage.rawValue)
        } catch {
            exit(reporting(error))
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        var command = command
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// Says what went wrong, in plain words, and gives the exit code.
    private static func reporting(_ error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        // As with other programs in a pipe, a reader that has read enough is nothing to speak of.
        if let failure = error as? OutputFailure, failure.isReaderGone { return Ending.failed.rawValue }
        switch Waymark.exitCode(for: error) {
        case .success:
            print(Waymark.fullMessage(for: error))
            return 0
        case .validationFailure:
            Console.complain(Waymark.fullMessage(for: error))
            return Ending.usage.rawValue
        default:
            Console.complain("waymark: \(error)")
            return Ending.failed.rawValue
        }
    }
}

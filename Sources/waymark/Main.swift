import ArgumentParser
import Glibc

/// The command `waymark`.
struct Waymark: AsyncParsableCommand {
    static let version = "0.2.0"

    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Manages Apple universal links: checks files before publishing, and shows what is served.",
        discussion: """
            To try it out, run `waymark serve`: it starts everything with a private PostgreSQL and prints a sign-in link. \
            `waymark lint`, `waymark match`, `waymark test` and `waymark diff` need no server.

            Exit codes: 0 success; 1 a check failed; 2 wrong usage; 3 other errors.
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
                    SnippetCommand.self, ScheduleCommand.self, FreezeCommand.self, ApprovalCommand.self,
                    AppCommand.self, EventsCommand.self,
                ]),
            CommandGroup(name: "Running", subcommands: [ServeCommand.self, MigrateCommand.self, DatabaseCommand.self]),
            CommandGroup(
                name: "Administration",
                subcommands: [
                    OrganizationCommand.self, UserCommand.self, TokenCommand.self, DomainCommand.self, KeyCommand.self,
                    MailCommand.self, AuditCommand.self, ExportCommand.self, RestoreCommand.self,
                ]),
        ])
}

/// The exit codes of commands.
enum Ending {
    /// A check failed.
    static let notRight = ExitCode(1)
    /// Wrong usage.
    static let usage = ExitCode(2)
    /// Another error.
    static let failed = ExitCode(3)
}

@main
enum Main {
    @concurrent static func main() async {
        // If a pipe or socket is closed by its reader, only the write must fail. Without this line, the process would
        // end.
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

    /// Prints an error and returns the exit code.
    private static func reporting(_ error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        // If the reader closes the pipe early, print no error, as other programs do.
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

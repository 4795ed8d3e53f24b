import ArgumentParser
import FoundationEssentials
import Postgres
import StrictJSON

/// `waymark database`.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Prepares an existing PostgreSQL server.", subcommands: [Prepare.self])

    struct Prepare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates the database and its three roles. Requires a superuser.",
            discussion: """
                The owner runs migrations. The runtime role serves; it cannot change the schema or bypass row level \
                security. The backup role reads everything. You can run the command again; it corrects differences.

                Passwords are read from the environment variables WAYMARK_OWNER_PASSWORD, WAYMARK_RUNTIME_PASSWORD and \
                WAYMARK_BACKUP_PASSWORD. Without a variable, the password of the role does not change.
                """)

        @Option(help: "The URL to connect as a superuser, such as postgresql://postgres@host/postgres.") var url: String
        @Option(help: "The database's name.") var database = "waymark"
        @Option(help: "The role that owns the tables.") var owner = "waymark_owner"
        @Option(help: "The role of the running service.") var runtime = "waymark_runtime"
        @Option(help: "The role for backups.") var backup = "waymark_backup"
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let settings = try Settings.load()
            let environment = ProcessInfo.processInfo.environment
            var preparation = DatabasePreparation()
            preparation.database = database
            preparation.owner = .init(owner, password: environment["WAYMARK_OWNER_PASSWORD"])
            preparation.runtime = .init(runtime, password: environment["WAYMARK_RUNTIME_PASSWORD"])
            preparation.backup = .init(backup, password: environment["WAYMARK_BACKUP_PASSWORD"])
            try await preparation.prepare(settings.configuration(of: url, "--url"), logger: settings.quietLogger())
            if json { try Console.say(answer) } else { try Console.say(text) }
        }

        private var answer: JSONValue {
            [
                "database": .string(database), "owner": .string(owner), "runtime": .string(runtime),
                "backup": .string(backup),
            ]
        }

        private var text: String {
            """
            The database \(database) and the roles \(owner), \(runtime) and \(backup) are ready. Next:
              WAYMARK_OWNER_DATABASE_URL=postgresql://\(owner):…@…/\(database) waymark migrate
              WAYMARK_DATABASE_URL=postgresql://\(runtime):…@…/\(database) waymark serve
            """
        }
    }
}

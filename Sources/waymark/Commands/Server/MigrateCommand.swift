import ArgumentParser
import Postgres
import StrictJSON

/// `waymark migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Applies the migrations to an existing database.",
        discussion: """
            Connects with WAYMARK_OWNER_DATABASE_URL, as the owner of the tables. Each migration runs in its own \
            transaction; applied migrations are skipped. `serve` migrates a private database when it starts.
            """)

    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let settings = try Settings.load()
        guard let url = settings.ownerDatabaseURL else {
            throw Settings.Invalid(
                name: "WAYMARK_OWNER_DATABASE_URL",
                reason: "is required: the URL of the database to migrate, as its owner")
        }
        let applied = try await DatabaseAccess.migrate(
            settings.configuration(of: url, "WAYMARK_OWNER_DATABASE_URL"), from: settings.migrationsDirectory,
            logger: settings.quietLogger())
        if json {
            try Console.say([
                "applied": .array(applied.map { ["number": .int($0.number), "name": .string($0.name)] })
            ])
        } else if applied.isEmpty {
            try Console.say("The database is up to date.")
        } else {
            try Console.say(applied.map { "applied \($0.number) \($0.name)" }.joined(separator: "\n"))
        }
    }
}

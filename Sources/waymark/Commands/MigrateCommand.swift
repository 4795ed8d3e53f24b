import ArgumentParser
import Postgres

/// `waymark migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings an existing database up to date.",
        discussion: """
            Connects as the owner of the tables, by WAYMARK_OWNER_DATABASE_URL. Each migration runs in a transaction of \
            its own; running it again does nothing. A private database migrates itself when `serve` starts.
            """)

    func run() async throws {
        let settings = try await Settings.load()
        guard let url = settings.ownerDatabaseURL else {
            throw Settings.Invalid(
                name: "WAYMARK_OWNER_DATABASE_URL", reason: "has to name the database to migrate, as its owner")
        }
        let applied = try await DatabaseAccess.migrate(
            settings.configuration(of: url, "WAYMARK_OWNER_DATABASE_URL"), from: settings.migrationsDirectory,
            logger: settings.quietLogger())
        if applied.isEmpty { print("The database is up to date.") }
        for migration in applied { print("applied \(migration.number) \(migration.name)") }
    }
}

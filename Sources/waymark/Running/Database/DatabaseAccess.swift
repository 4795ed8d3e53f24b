import EmbeddedPostgres
import FoundationEssentials
import Logging
import Postgres
import Storage

/// The database of this process: an existing database, or a private server that the process starts and owns.
struct DatabaseAccess: Sendable {
    static let name = "waymark"
    static let owner = "waymark_owner"
    static let runtime = "waymark_runtime"

    /// The connection of the runtime role.
    let runtime: PostgresConfiguration
    /// The private server, or `nil` if this process did not start one.
    let embedded: EmbeddedPostgres?
    /// True if the database is private.
    let isLocal: Bool

    /// Opens the database for `serve`. An existing database must have all migrations. A private one is migrated.
    static func forServing(_ settings: Settings, logger: Logger) async throws -> DatabaseAccess {
        let access = try await open(settings, logger: logger)
        if access.embedded == nil { try await access.requireCurrent(settings, logger: logger) }
        return access
    }

    /// Opens a store for one command. If the private database is used and `serve` is not running, starts the private
    /// server for the duration of the command.
    ///
    /// - Throws: `Settings.Invalid` if no setting names a database and the state folder has no private one. The command
    ///   must not create a private database, because `serve` may use a different one.
    static func withStore<Value>(
        _ settings: Settings, logger: Logger, _ body: (Store, _ isLocal: Bool) async throws -> Value
    ) async throws -> Value {
        if !settings.hasPrivateDatabase { try settings.requireDatabase("this command") }
        let access = try attach(settings)
        let opened: DatabaseAccess
        if let access { opened = access } else { opened = try await open(settings, logger: logger) }
        let pool = PostgresPool(opened.runtime, logger: logger)
        do {
            let value = try await body(Store(pool: pool), opened.isLocal)
            await pool.close()
            try await opened.embedded?.stop()
            return value
        } catch {
            await pool.close()
            try? await opened.embedded?.stop()
            throw error
        }
    }

    /// The connection of the tables' owner: from the settings, or of the private database if `serve` runs.
    /// - Throws: `Settings.Invalid` if there is neither.
    static func owner(_ settings: Settings) throws -> PostgresConfiguration {
        if let url = settings.ownerDatabaseURL {
            return try settings.configuration(of: url, "WAYMARK_OWNER_DATABASE_URL")
        }
        let running = EmbeddedPostgres.configuration(
            ofServerRunningOn: settings.dataDirectory, database: name, role: owner)
        guard settings.databaseURL == nil, let running else {
            throw Settings.Invalid(
                name: "WAYMARK_OWNER_DATABASE_URL", reason: "is required: the URL of the database, as its owner")
        }
        return running
    }

    private static func attach(_ settings: Settings) throws -> DatabaseAccess? {
        guard settings.databaseURL == nil else { return nil }
        return EmbeddedPostgres.configuration(
            ofServerRunningOn: settings.dataDirectory, database: name, role: runtime
        ).map { DatabaseAccess(runtime: $0, embedded: nil, isLocal: true) }
    }

    private static func open(_ settings: Settings, logger: Logger) async throws -> DatabaseAccess {
        if let url = settings.databaseURL {
            var configuration = try settings.configuration(of: url, "WAYMARK_DATABASE_URL")
            configuration.maximumConnections = settings.databaseConnections
            return DatabaseAccess(runtime: configuration, embedded: nil, isLocal: false)
        }
        let server = try await EmbeddedPostgres.start(
            EmbeddedPostgres.Settings(dataDirectory: settings.dataDirectory), logger: logger)
        do {
            try await prepareAndMigrate(server, settings, logger: logger)
        } catch {
            try? await server.stop()
            throw error
        }
        var configuration = server.configuration(database: name, role: runtime)
        configuration.maximumConnections = settings.databaseConnections
        return DatabaseAccess(runtime: configuration, embedded: server, isLocal: true)
    }

    private static func prepareAndMigrate(
        _ server: EmbeddedPostgres, _ settings: Settings, logger: Logger
    ) async throws {
        try await DatabasePreparation().prepare(
            server.configuration(database: "postgres", role: "postgres"), logger: logger)
        try await migrate(
            server.configuration(database: name, role: owner), from: settings.migrationsDirectory, logger: logger)
    }

    /// Applies the missing migrations and returns them.
    @discardableResult
    static func migrate(
        _ owner: PostgresConfiguration, from directory: String, logger: Logger
    ) async throws -> [Migration] {
        let pool = PostgresPool(owner, logger: logger)
        do {
            let applied = try await Migrator(directory: directory, logger: logger).migrate(pool)
            await pool.close()
            return applied
        } catch {
            await pool.close()
            throw error
        }
    }

    /// True if a table, column, function or schema does not exist, because a migration was not applied
    /// (https://www.postgresql.org/docs/15/errcodes-appendix.html, class 42).
    static func lacksMigrations(_ error: PostgresError) -> Bool {
        ["42P01", "42703", "42883", "3F000"].contains(error.sqlState ?? "")
    }

    private func requireCurrent(_ settings: Settings, logger: Logger) async throws {
        let pool = PostgresPool(runtime, logger: logger)
        do {
            let check = try await RuntimeRoleCheck(pool)
            guard check.isPassed else {
                throw Settings.Invalid(
                    name: "WAYMARK_DATABASE_URL",
                    reason: "connects as the role \(check.role), which has more rights than the service needs: "
                        + check.faults.joined(separator: "; ") + ". `waymark database prepare` creates the right role.")
            }
            try await Migrator(directory: settings.migrationsDirectory, logger: logger).check(pool)
            await pool.close()
        } catch {
            await pool.close()
            throw error
        }
    }
}

extension Settings {
    /// The data directory of the private database.
    var dataDirectory: String { stateDirectory + "/postgres" }

    /// True if the state folder contains a private database. Checks only that its folder exists, because this user may
    /// not be able to read the files in it.
    var hasPrivateDatabase: Bool { FileManager.default.fileExists(atPath: dataDirectory) }

    /// - Parameter user: The part of Waymark that needs the database, for the error message.
    func requireDatabase(_ user: String) throws {
        guard databaseURL == nil else { return }
        throw Invalid(
            name: "WAYMARK_DATABASE_URL",
            reason:
                "is required for \(user): the URL of the database, as the runtime role. Only `waymark serve` creates a "
                + "private database; to use an existing one, set WAYMARK_STATE_DIRECTORY (now \(stateDirectory)) to its folder"
        )
    }

    /// The configuration from a database's URL.
    /// - Throws: `Invalid` for the setting `name`.
    func configuration(of url: String, _ name: String) throws -> PostgresConfiguration {
        do {
            return try PostgresConfiguration(url: url)
        } catch {
            throw Invalid(name: name, reason: "is not a valid database URL: \(error.message)")
        }
    }
}

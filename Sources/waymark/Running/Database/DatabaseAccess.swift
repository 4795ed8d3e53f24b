import FoundationEssentials
import Logging
import Postgres
import Storage

/// The database that this process works with: an existing one, or a private one that it starts and owns.
struct DatabaseAccess: Sendable {
    static let name = "waymark"
    static let owner = "waymark_owner"
    static let runtime = "waymark_runtime"

    /// How the runtime role connects.
    let runtime: PostgresConfiguration
    /// The private server, when this process has started it.
    let embedded: EmbeddedPostgres?
    /// The database is private to this machine.
    let isLocal: Bool

    /// Opens the database to serve from: an existing one has to be up to date, a private one is brought there.
    static func forServing(_ settings: Settings, logger: Logger) async throws -> DatabaseAccess {
        let access = try await open(settings, logger: logger)
        if access.embedded == nil { try await access.requireCurrent(settings, logger: logger) }
        return access
    }

    /// A store for one command: on the private server that `serve` runs, or on one that is started for as long.
    ///
    /// - Throws: `Settings.Invalid` without a setting that names a database and without a private one in the state
    ///   folder: one that was made for the command alone would be another one than that which is served from.
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
            try await bringUpToDate(server, settings, logger: logger)
        } catch {
            try? await server.stop()
            throw error
        }
        var configuration = server.configuration(database: name, role: runtime)
        configuration.maximumConnections = settings.databaseConnections
        return DatabaseAccess(runtime: configuration, embedded: server, isLocal: true)
    }

    private static func bringUpToDate(
        _ server: EmbeddedPostgres, _ settings: Settings, logger: Logger
    ) async throws {
        try await DatabasePreparation().prepare(
            server.configuration(database: "postgres", role: "postgres"), logger: logger)
        try await migrate(
            server.configuration(database: name, role: owner), from: settings.migrationsDirectory, logger: logger)
    }

    /// Applies the migrations that are missing; returns them.
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

    /// A table, a column or a function is not there, or may not be used yet
    /// (https://www.postgresql.org/docs/15/errcodes-appendix.html: class 42): no migration has made it.
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
                    reason: "connects the role \(check.role), which may do more than serving needs: "
                        + check.faults.joined(separator: "; ") + ". `waymark database prepare` makes the right one.")
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
    /// Where the private database's data lie.
    var dataDirectory: String { stateDirectory + "/postgres" }

    /// Whether `serve` has made a private database in the state folder. Its version file may be closed to this user, as
    /// the folder is not.
    var hasPrivateDatabase: Bool { FileManager.default.fileExists(atPath: dataDirectory) }

    /// - Parameter user: what needs the database, in words.
    func requireDatabase(_ user: String) throws {
        guard databaseURL == nil else { return }
        throw Invalid(
            name: "WAYMARK_DATABASE_URL",
            reason: "has to name the database for \(user), as the runtime role connects. A private database is made by "
                + "`waymark serve` alone; WAYMARK_STATE_DIRECTORY, now \(stateDirectory), is the folder that has it")
    }

    /// A database's URL, or what is wrong with the setting that holds it.
    func configuration(of url: String, _ name: String) throws -> PostgresConfiguration {
        do {
            return try PostgresConfiguration(url: url)
        } catch {
            throw Invalid(name: name, reason: "is not a database's URL: \(error.message)")
        }
    }
}

public import EmbeddedPostgres
import Foundation
public import Logging
public import Postgres

/// One real PostgreSQL for a test run, with one template database; every test gets a copy of it.
///
/// Its data are under `/tmp` and are removed with the test process, even if that crashes.
public actor TestCluster {
    /// The cluster of this process.
    public static let shared = TestCluster()

    /// The role that owns the tables. The roles are those of production.
    public static let owner = "waymark_owner"
    /// The role of the service.
    public static let runtime = "waymark_runtime"
    /// The role for backups.
    public static let backup = "waymark_backup"

    /// The repository's migrations.
    public static let repositoryMigrations: String = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "migrations").path(percentEncoded: false)

    /// A logger that discards everything.
    public static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private var starting: Task<EmbeddedPostgres, any Error>?
    private var templates: [String: Task<String, any Error>] = [:]
    private var administration: PostgresPool?
    private var databases = 0

    /// The server, started at the first call.
    public func server() async throws -> EmbeddedPostgres {
        if let starting { return try await starting.value }
        let task = Task {
            try await EmbeddedPostgres.startTemporary(maximumConnections: 400, logger: Self.silent)
        }
        starting = task
        return try await task.value
    }

    /// The configuration of the superuser, for creating databases and for disturbing backends.
    public func superuser(database: String = "postgres") async throws -> PostgresConfiguration {
        var configuration = try await server().configuration(database: database, role: "postgres")
        // Many tests start at the same time.
        configuration.maximumWait = .seconds(60)
        configuration.statementTimeout = .seconds(60)
        return configuration
    }

    /// Creates a database from the template of these migrations.
    func makeDatabase(migrations: String?) async throws -> String {
        let template = try await template(migrations: migrations)
        databases += 1
        let name = "test_\(databases)"
        try await administer { db in
            let owner = Self.owner
            try db.execute(
                "create database \(identifier: name) template \(identifier: template) owner \(identifier: owner)")
            try db.execute("revoke all on database \(identifier: name) from public")
            for role in [Self.runtime, Self.backup] {
                try db.execute("grant connect on database \(identifier: name) to \(identifier: role)")
            }
        }
        return name
    }

    func dropDatabase(_ name: String) async throws {
        try await administer { db in try db.execute("drop database if exists \(identifier: name) with (force)") }
    }

    private func administer(_ body: @escaping @Sendable (Database) throws -> Void) async throws {
        let pool: PostgresPool
        if let administration {
            pool = administration
        } else {
            var configuration = try await superuser()
            configuration.maximumConnections = 4
            pool = administration ?? PostgresPool(configuration, logger: Self.silent)
            administration = pool
        }
        try await pool.outsideTransaction(deadline: .seconds(60), body)
    }

    private func template(migrations: String?) async throws -> String {
        let key = migrations ?? ""
        if let task = templates[key] { return try await task.value }
        let name = "template_\(templates.count + 1)"
        let task = Task { try await makeTemplate(name, migrations: migrations) }
        templates[key] = task
        return try await task.value
    }

    private func makeTemplate(_ name: String, migrations: String?) async throws -> String {
        let server = try await server()
        var preparation = DatabasePreparation()
        preparation.database = name
        try await preparation.prepare(try await superuser(), logger: Self.silent)
        if let migrations {
            let owner = PostgresPool(server.configuration(database: name, role: Self.owner), logger: Self.silent)
            try await Migrator(directory: migrations, logger: Self.silent).migrate(owner)
            await owner.close()
        }
        return name
    }
}

public import Logging
public import Postgres

/// A test's own database, with the pools that the service would have.
public struct TestDatabase: Sendable {
    /// Its name.
    public let name: String
    /// The server it is on.
    public let server: EmbeddedPostgres
    /// As the runtime role: what the service uses.
    public let runtime: PostgresPool
    /// As the owner: may change the schema, and still sees no tenant's rows without the organization.
    public let owner: PostgresPool

    /// How a role connects to it.
    public func configuration(role: String = TestCluster.runtime) -> PostgresConfiguration {
        server.configuration(database: name, role: role)
    }

    /// How a role connects to it, as a URL: for a process that is started by the test.
    public func url(role: String = TestCluster.runtime) -> String {
        server.url(database: name, role: role)
    }
}

/// Gives a test a database of its own: a copy of the template, dropped afterwards.
///
/// - Parameters:
///   - migrations: the folder that the template is migrated from; nil for an empty database.
///   - logger: where the pools write.
///   - configure: changes the pools' limits.
///   - body: the test.
/// - Returns: what `body` returns.
@discardableResult
public func withDatabase<Success: Sendable>(
    migrations: String? = TestCluster.repositoryMigrations, logger: Logger = TestCluster.silent,
    configure: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (TestDatabase) async throws -> Success
) async throws -> Success {
    let name = try await TestCluster.shared.makeDatabase(migrations: migrations)
    let server = try await TestCluster.shared.server()
    var runtime = server.configuration(database: name, role: TestCluster.runtime)
    var owner = server.configuration(database: name, role: TestCluster.owner)
    for keyPath in [\PostgresConfiguration.deadline, \.maximumWait, \.connectTimeout] {
        // Machines that run tests are slow at times: a test of the limits sets its own.
        runtime[keyPath: keyPath] = .seconds(20)
        owner[keyPath: keyPath] = .seconds(20)
    }
    runtime.statementTimeout = .seconds(20)
    owner.statementTimeout = .seconds(20)
    configure(&runtime)
    configure(&owner)
    let database = TestDatabase(
        name: name, server: server, runtime: PostgresPool(runtime, logger: logger),
        owner: PostgresPool(owner, logger: logger))
    let result: Result<Success, any Error>
    do { result = .success(try await body(database)) } catch { result = .failure(error) }
    await database.runtime.close()
    await database.owner.close()
    try await TestCluster.shared.dropDatabase(name)
    return try result.get()
}

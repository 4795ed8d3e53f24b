public import EmbeddedPostgres
public import Logging
public import Postgres

/// A database for one test, with the pools of the service.
public struct TestDatabase: Sendable {
    /// The database's name.
    public let name: String
    /// The database's server.
    public let server: EmbeddedPostgres
    /// A pool of the runtime role, as the service uses it.
    public let runtime: PostgresPool
    /// A pool of the owner, who can change the schema, but sees no tenant's rows without the organization either.
    public let owner: PostgresPool

    /// The configuration with which a role connects.
    public func configuration(role: String = TestCluster.runtime) -> PostgresConfiguration {
        server.configuration(database: name, role: role)
    }

    /// The URL with which a role connects, for a process that the test starts.
    public func url(role: String = TestCluster.runtime) -> String {
        server.url(database: name, role: role)
    }
}

/// Runs a test with its own database: a copy of the template, dropped afterwards.
///
/// - Parameters:
///   - migrations: the folder of the template's migrations; nil for an empty database.
///   - logger: the logger of the pools.
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
        // Test machines can be slow, so the limits are long. A test of the limits sets its own.
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

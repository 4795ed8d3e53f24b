import AASA
import Postgres
import Storage
import StrictJSON
import TestSupport

/// A test's own database with one organization, as the service sees it.
struct StoreUnderTest: Sendable {
    static let author = Author(kind: .user, name: "ada@example.com")

    let database: TestDatabase
    let store: Store
    let organization: ID<Organization>

    func read<Value: Sendable>(_ body: @escaping @Sendable (TenantTransaction) throws -> Value) async throws -> Value {
        try await store.read(as: organization, body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (TenantTransaction) throws -> Value) async throws -> Value {
        try await store.write(as: organization, by: Self.author, body)
    }

    /// Another organization in the same installation.
    func another(_ slug: String) async throws -> StoreUnderTest {
        let id = ID<Organization>()
        _ = try await store.write(as: id, by: Self.author) { try $0.createOrganization(slug: slug, name: slug) }
        return StoreUnderTest(database: database, store: store, organization: id)
    }

    /// Runs statements as the superuser, to inspect the database or to damage it.
    @discardableResult
    func asSuperuser<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let pool = PostgresPool(
            try await TestCluster.shared.superuser(database: database.name), logger: TestCluster.silent)
        let result: Result<Value, any Error>
        do { result = .success(try await pool.write(deadline: .seconds(300), body)) } catch { result = .failure(error) }
        await pool.close()
        return try result.get()
    }

    /// Gathers the statistics of Waymark's tables. Plain `analyze` would also lock the catalogs that all databases
    /// share, and tests that run beside this one would wait for them until their time limit.
    func analyze() async throws {
        try await asSuperuser { database in
            // The server's own analysis may hold a lock for longer than a statement may wait.
            try database.execute("set local lock_timeout = 0")
            try database.execute(
                """
                do $$ begin
                  execute (
                    select 'analyze ' || string_agg(oid::regclass::text, ', ') from pg_class
                    where relnamespace = 'public'::regnamespace and relkind = 'r');
                end $$
                """)
        }
    }

    /// Audit entries in order: actor, action and subject, with `ID` in place of IDs.
    func trail() async throws -> [String] {
        let organization = organization.uuid
        return try await asSuperuser { database in
            try database.query(
                """
                select actor_kind || ' ' || actor_name || ' ' || action || ' '
                  || regexp_replace(subject, '^[0-9a-f-]{36}$', 'ID', 'i') as line
                from audit_entries where organization_id = \(organization) order by id
                """
            ).map { try $0.decode("line", as: String.self) }
        }
    }
}

/// Gives a test a store with one organization. The time limits are those of a busy machine, not of the service.
func withStore(connections: Int = 8, _ body: (StoreUnderTest) async throws -> Void) async throws {
    try await withDatabase(configure: { configuration in
        configuration.maximumConnections = connections
        // All statements, each also with the one that explains it.
        configuration.maximumPreparedStatements = 1_000
        configuration.deadline = .seconds(60)
        configuration.maximumWait = .seconds(60)
        configuration.lockTimeout = .seconds(60)
        configuration.statementTimeout = .seconds(60)
        configuration.idleInTransactionTimeout = .seconds(60)
    }) { database in
        let organization = ID<Organization>()
        let store = Store(pool: database.runtime)
        let test = StoreUnderTest(database: database, store: store, organization: organization)
        _ = try await test.write { try $0.createOrganization(slug: "acme", name: "Acme") }
        try await body(test)
    }
}

/// Sample values.
enum Sample {
    static let report: JSONValue = ["passed": true]

    /// A file that names an app. Another `path` makes another file.
    static func file(path: String = "/*", app: String = "ABCDE12345.com.example.app") -> [UInt8] {
        Array(#"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"\#(path)"}]}]}}"#.utf8)
    }

    /// A draft with one entry.
    static func draft(app: String = "ABCDE12345.com.example.app", path: String = "/*") -> Draft {
        Draft(entries: [
            Draft.Entry(
                id: "entry", apps: [app], rules: [Rule(id: "rule", fields: RuleFields(path: path))])
        ])
    }
}

extension TenantTransaction {
    /// Saves a file as the domain's next version.
    func freezeSample(_ host: Host, path: String = "/*") throws -> Version {
        try freeze(Sample.file(path: path), of: host, draftRevision: 1, message: "", report: Sample.report)
    }

    /// Creates a domain and claims its host.
    func addVerified(_ host: Host) throws {
        _ = try createDomain(host)
        _ = try claim(host)
    }

    /// Saves a file and makes it live immediately, like a worker, whatever is live.
    func goLive(_ host: Host, path: String = "/*") throws -> Activation {
        try activate(freezeSample(host, path: path), of: host, expecting: .anything)
    }
}

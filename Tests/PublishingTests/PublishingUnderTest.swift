import AASA
import Postgres
import Storage
import TestSupport

@testable import Publishing

/// A test's own database with one organization, and everything that publishes in it.
struct PublishingUnderTest: Sendable {
    static let author = Author(kind: .token, name: "ci")

    let database: TestDatabase
    let store: Store
    let organization: ID<Organization>

    var publisher: Publisher { Publisher(store: store) }
    var handler: PublicationHandler { PublicationHandler(store: store, logger: TestCluster.silent) }
    var worker: JobWorker { worker(handler) }

    func worker(
        _ handler: any JobHandler, doorbell: Doorbell = Doorbell(), leaseSeconds: Int = 10, threads: WorkThreads? = nil
    ) -> JobWorker {
        JobWorker(
            store: store,
            handlers: [
                .publish: handler, .withdraw: WithdrawalHandler(store: store, logger: TestCluster.silent),
                .release: ReleaseHandler(store: store, logger: TestCluster.silent),
                .replace: ReplacementHandler(store: store, logger: TestCluster.silent),
            ],
            doorbell: doorbell, logger: TestCluster.silent, leaseSeconds: leaseSeconds, threads: threads)
    }

    /// The steps of a publication so far.
    func steps(_ publication: Publication) async throws -> [PublicationStep] {
        try await read { try $0.steps(of: [publication.id])[publication.id] ?? [] }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (TenantTransaction) throws -> Value) async throws -> Value {
        try await store.read(as: organization, body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (TenantTransaction) throws -> Value) async throws -> Value {
        try await store.write(as: organization, by: Self.author, body)
    }

    /// A new publication. Throws `NothingToPublish` if the file is already live.
    func publish(_ host: Host, _ request: Publisher.Request = Publisher.Request()) async throws -> Publication {
        let outcome = try await publisher.publish(host, request, as: organization, by: Self.author)
        guard case .made(let publication) = outcome else { throw NothingToPublish() }
        return publication
    }

    /// The file is already live.
    struct NothingToPublish: Error {}

    func freeze(_ host: Host) async throws -> Version {
        try await publisher.freeze(host, expectedRevision: nil, message: "", as: organization, by: Self.author)
    }

    /// The publication in its current state.
    func now(_ publication: Publication) async throws -> Publication {
        try await read { try $0.publication(publication.id, of: publication.host) }
    }

    /// A domain whose draft passes the gate.
    func addDomain(_ name: String, claimed: Bool = true, path: String = "/*") async throws -> Host {
        let host = try Host("\(name).example.com")
        try await write { tenant in
            _ = try tenant.createDomain(host)
            if claimed { _ = try tenant.claim(host) }
        }
        try await draft(host, Sample.draft(path: path))
        return host
    }

    /// Writes a draft.
    func draft(_ host: Host, _ draft: Draft) async throws {
        try await write { tenant in
            _ = try tenant.saveDraft(draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
        }
    }

    /// Publishes, and waits for the final state.
    @discardableResult
    func goLive(_ host: Host, path: String) async throws -> Publication {
        try await draft(host, Sample.draft(path: path))
        let publication = try await publish(host)
        while try await worker.workOnce() {}
        return try await now(publication)
    }

    /// Runs statements as the superuser, to damage the database.
    @discardableResult
    func asSuperuser<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let pool = PostgresPool(
            try await TestCluster.shared.superuser(database: database.name), logger: TestCluster.silent)
        let result: Result<Value, any Error>
        do { result = .success(try await pool.write(deadline: .seconds(60), body)) } catch { result = .failure(error) }
        await pool.close()
        return try result.get()
    }
}

/// Gives a test an organization that can publish. The time limits are those of a busy machine, not of the service.
func withPublishing(connections: Int = 8, _ body: (PublishingUnderTest) async throws -> Void) async throws {
    try await withDatabase(configure: { configuration in
        configuration.maximumConnections = connections
        configuration.deadline = .seconds(60)
        configuration.maximumWait = .seconds(60)
        configuration.lockTimeout = .seconds(60)
        configuration.statementTimeout = .seconds(60)
        configuration.idleInTransactionTimeout = .seconds(60)
    }) { database in
        let test = PublishingUnderTest(
            database: database, store: Store(pool: database.runtime), organization: ID<Organization>())
        _ = try await test.write { try $0.createOrganization(slug: "acme", name: "Acme") }
        try await body(test)
    }
}

/// Sample values.
enum Sample {
    static let app = "ABCDE12345.com.example.app"

    static func draft(app: String = app, path: String = "/*") -> Draft {
        Draft(
            entries: [
                Draft.Entry(id: "entry", apps: [app], rules: [Rule(id: "rule", fields: RuleFields(path: path))])
            ])
    }
}

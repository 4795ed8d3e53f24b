import AASA
import Foundation
import HTTPAPI
import Hummingbird
import Logging
import NIOCore
import Postgres
import Publishing
import ServiceLifecycle
import Serving
import Snapshot
import Storage
import StrictJSON
import TestSupport

/// API, worker and edge over a PostgreSQL of their own, wired as `waymark serve` wires them, in one process; between the
/// edge and the API is HTTP.
struct Installation: Sendable {
    static let author = Author(kind: .system, name: "benchmark")

    let store: Store
    let organization: ID<Organization>
    let database: TestDatabase
    let consumer = Secret(prefix: "")
    let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }

    /// Where it listens, and when the worker's commits became visible.
    struct Running: Sendable {
        let apiPort: Int
        let edgePort: Int
        let live: AsyncStream<ContinuousClock.Instant>
    }

    static func host(_ number: Int) throws -> AASA.Host { try AASA.Host("links-\(number).customer.example.com") }

    static func draft(_ number: Int, turn: Int) -> Draft {
        let rules = (0..<10).map { Rule(id: "r\($0)", fields: RuleFields(path: "/\(number)/\(turn)/section-\($0)/*")) }
        return Draft(entries: [Draft.Entry(id: "entry", apps: ["ABCDE12345.com.example.app"], rules: rules)])
    }

    /// Puts this many hosts live, each with a file of its own.
    func fill(_ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 250) {
            try await store.write(as: organization, by: Self.author) { tenant in
                for number in start..<min(start + 250, count) {
                    let host = try Self.host(number)
                    _ = try tenant.createDomain(host)
                    _ = try tenant.claim(host)
                    let draft = Self.draft(number, turn: 0)
                    _ = try tenant.saveDraft(draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
                    let version = try tenant.freeze(
                        draft.association().bytes, of: host, draftRevision: 2, message: "", report: ["passed": true])
                    _ = try tenant.activate(version, of: host, expecting: .anything)
                }
            }
        }
    }

    /// Runs everything while `body` runs.
    func run(_ body: @escaping @Sendable (Running) async throws -> Void) async throws {
        let (jobs, live, feed) = (Doorbell(), Doorbell(), Doorbell())
        let listener = Listener(
            database.configuration(), channels: [Store.jobsChannel, Store.liveChannel], logger: quiet)
        let key = try SigningKey()
        let pages = String(#filePath.dropLast("Benchmarks/Sources/PublicationBenchmark/Installation.swift".count))
        let api = try API(
            store: store, feed: SnapshotFeed(store: store, key: key, doorbell: feed),
            consumers: ConsumerCredentials([consumer]),
            jobsDoorbell: jobs, liveDoorbell: live,
            settings: API.Settings(
                isLocal: true, version: "benchmark", edgeURL: nil, isSecure: false, publicDirectory: pages + "public"))
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let (commits, committed) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        let application = Application(
            router: api.buildRouter(logger: quiet),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { told.yield($0.localAddress?.port ?? 0) }, logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            group.addTask { try await application.run() }
            group.addTask {
                try await JobWorker(
                    store: store, carriers: [.publish: PublicationCarrier(store: store, logger: quiet)], doorbell: jobs,
                    logger: quiet
                ).run()
            }
            group.addTask {
                for await case .notification(let hint) in listener.events() {
                    if hint.channel == Store.jobsChannel {
                        jobs.ring()
                    } else {
                        committed.yield(.now)
                        live.ring()
                        feed.ring()
                    }
                }
            }
            var found = ports.makeAsyncIterator()
            let apiPort = await found.next() ?? 0
            let root = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: root) }
            let table = LiveTable()
            let follower = SnapshotFollower(
                source: HTTPSnapshotSource(
                    baseURL: "http://127.0.0.1:\(apiPort)", credential: ConsumerCredential(consumer.text)),
                directory: try SnapshotDirectory(path: root), trusted: [key.verificationKey], consumer: table,
                logger: quiet)
            let edge = Edge(
                configuration: Edge.Configuration(host: "127.0.0.1", port: 0), table: table, follower: follower,
                logger: quiet, listening: { told.yield($0.edge.port ?? 0) })
            group.addTask { try await follower.run() }
            group.addTask { try await edge.run() }
            let running = Running(apiPort: apiPort, edgePort: await found.next() ?? 0, live: commits)
            try await body(running)
            group.cancelAll()
        }
    }
}

import AASA
import HTTPAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Publishing
import ServiceLifecycle
import Snapshot
import Storage
import TestSupport

/// Compares a read by key over HTTP (`GET /v1/teams/{teamID}` with a token: two statements) with a constant answer of
/// the same size from a route of the same router. `wrk` drives the two in turns.
@main
enum HTTPBenchmark {
    static let rounds = 3

    /// The path of this checkout, with a slash at the end.
    private static let checkout =
        String(#filePath.dropLast("Benchmarks/Sources/HTTPBenchmark/HTTPBenchmark.swift".count))

    static func main() async throws {
        try await withDatabase { @Sendable database in
            let store = Store(pool: database.runtime)
            let organization = ID<Organization>()
            let author = Author(kind: .system, name: "benchmark")
            let token = try await store.write(as: organization, by: author) { tenant in
                _ = try tenant.createOrganization(slug: "benchmark", name: "Benchmark")
                _ = try tenant.createTeam(try TeamID("ABCDE12345"), name: "A team with a name of its own")
                return try tenant.createToken(name: "benchmark", role: .viewer)
            }
            try await serve(store) { address in
                try await measure(address, token.text)
            }
        }
    }

    private static func serve(
        _ store: Store, _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let bell = Doorbell()
        let api = try API(
            store: store, feed: SnapshotFeed(store: store, key: SigningKey()), events: EventFeed(store: store),
            consumers: ConsumerCredentials([]), jobsDoorbell: bell, liveDoorbell: bell,
            settings: API.Settings(
                isLocal: true, version: "benchmark", edgeURL: nil, publicDirectory: checkout + "public",
                contractDirectory: checkout + "contract"))
        let router = api.buildRouter(logger: quiet)
        let constant = ByteBuffer(
            string: #"{"teamID":"ABCDE12345","name":"A team with a name of its own","#
                + #""createdAt":"2026-01-01T00:00:00.000Z"}"#)
        router.get("/constant") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: constant))
        }
        let (addresses, told) = AsyncStream.makeStream(of: String.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                told.yield("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
            }, logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await address in addresses {
                try await body(address)
                break
            }
            group.cancelAll()
        }
    }

    private static func measure(_ address: String, _ token: String) async throws {
        print("read by key over HTTP against a constant from the same router, wrk -t1 -c32 -d4s, \(rounds) rounds")
        var ratios: [Double] = []
        for round in 1...rounds {
            let constant = try await Wrk.rate(address + "/constant", token: token)
            let read = try await Wrk.rate(address + "/v1/teams/ABCDE12345", token: token)
            ratios.append(read / constant)
            print("round \(round): read \(Int(read))/s, constant \(Int(constant))/s, ratio \(rounded(read / constant))")
        }
        print("median ratio: \(rounded(ratios.sorted()[ratios.count / 2]))")
    }

    private static func rounded(_ ratio: Double) -> Double { (ratio * 100).rounded() / 100 }
}

import AASA
import HTTPAPI
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Postgres
import Publishing
import ServiceLifecycle
import Snapshot
import Storage
import TestSupport

/// Compares a read by key over HTTP (`GET /v1/teams/{teamID}`) with a constant response of the same size: from a router
/// without anything else, and from the same router. The read uses a token, then a session, and then a token with an API
/// that counts no requests. `wrk` sends requests to the five in turns.
@main
enum HTTPBenchmark {
    static let rounds = 5

    /// Limits that count the requests, as always, but are higher than any round can reach.
    private static let counting = RateLimiter.Quotas(
        caller: 1_000_000_000, organization: 1_000_000_000, address: 1_000_000_000)
    private static let off = RateLimiter.Quotas(caller: 0, organization: 0, address: 0)

    /// The path of this checkout, with a slash at the end.
    private static let checkout =
        String(#filePath.dropLast("Benchmarks/Sources/HTTPBenchmark/HTTPBenchmark.swift".count))

    private static let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }

    private struct Secrets {
        let token: Secret
        let session: Secret
    }

    static func main() async throws {
        try await withDatabase { @Sendable database in
            let store = Store(pool: database.runtime)
            let secrets = try await fill(store)
            let callers = CallerMemory()
            let listener = Listener(database.configuration(), channels: [Store.accessChannel], logger: quiet)
            let events = listener.events()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await listener.run() }
                group.addTask { for await event in events { callers.note(event) } }
                try await serve(bareRouter()) { bare in
                    try await serve(router(store, callers, counting)) { api in
                        try await serve(router(store, callers, off)) { unlimited in
                            try await measure(bare, api, unlimited, secrets)
                        }
                    }
                }
                group.cancelAll()
            }
        }
    }

    private static func fill(_ store: Store) async throws -> Secrets {
        try await store.write(as: ID<Organization>(), by: Author(kind: .system, name: "benchmark")) { tenant in
            _ = try tenant.createOrganization(slug: "benchmark", name: "Benchmark")
            _ = try tenant.createTeam(try TeamID("ABCDE12345"), name: "A team with a name of its own")
            let user = try tenant.system.ensureUser(email: "benchmark@example.com", name: "Benchmark")
            try tenant.setRole(.viewer, of: user)
            let opened = try tenant.system.openSession(of: user.id)
            return Secrets(
                token: try tenant.createToken(name: "benchmark", role: .viewer).secret, session: opened.secret)
        }
    }

    private static func router(
        _ store: Store, _ callers: CallerMemory, _ rates: RateLimiter.Quotas
    ) throws -> Router<APIContext> {
        let bell = Doorbell()
        let key = try SigningKey()
        let api = try API(
            store: store, feed: SnapshotFeed(store: store, key: key), events: EventFeed(store: store),
            sealer: AuditSealer(store: store, key: key, logger: quiet), consumers: ConsumerCredentials([]),
            callers: callers, jobsDoorbell: bell, liveDoorbell: bell,
            settings: API.Settings(
                isLocal: true, version: "benchmark", edgeURL: nil, publicDirectory: checkout + "public",
                contractDirectory: checkout + "contract", rates: rates))
        let router = api.buildRouter(logger: quiet)
        addConstant(to: router)
        return router
    }

    private static func bareRouter() -> Router<BasicRequestContext> {
        let router = Router()
        addConstant(to: router)
        return router
    }

    private static func addConstant<Context: RequestContext>(to router: Router<Context>) {
        let constant = ByteBuffer(
            string: #"{"teamID":"ABCDE12345","name":"A team with a name of its own","#
                + #""createdAt":"2026-01-01T00:00:00.000Z"}"#)
        router.get("/constant") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: constant))
        }
    }

    /// Serves a router while `body` runs, which gets its address.
    private static func serve<Context: InitializableFromSource<ApplicationRequestContextSource> & RequestContext>(
        _ router: Router<Context>, _ body: (String) async throws -> Void
    ) async throws {
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

    private static func measure(
        _ bare: String, _ api: String, _ unlimited: String, _ secrets: Secrets
    ) async throws {
        print("read by key over HTTP against a constant, wrk -t1 -c32 -d4s, \(rounds) rounds")
        let token = "Authorization: Bearer \(secrets.token.text)"
        let session = "Cookie: waymark=\(secrets.session.text)"
        let team = "/v1/teams/ABCDE12345"
        var (toBare, toSame, toToken, toUnlimited): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for round in 1...rounds {
            let constant = try await Wrk.rate(bare + "/constant", field: token)
            let same = try await Wrk.rate(api + "/constant", field: token)
            let byToken = try await Wrk.rate(api + team, field: token)
            let bySession = try await Wrk.rate(api + team, field: session)
            let uncounted = try await Wrk.rate(unlimited + team, field: token)
            toBare.append(byToken / constant)
            toSame.append(byToken / same)
            toToken.append(bySession / byToken)
            toUnlimited.append(byToken / uncounted)
            print(
                "round \(round): bare constant \(Int(constant))/s, constant \(Int(same))/s, "
                    + "token \(Int(byToken))/s, session \(Int(bySession))/s, "
                    + "token without limits \(Int(uncounted))/s")
        }
        print("token to bare constant: \(median(toBare)); to constant of the same router: \(median(toSame))")
        print("session to token: \(median(toToken)); token to token without limits: \(median(toUnlimited))")
    }

    private static func median(_ ratios: [Double]) -> String {
        let all = ratios.map { "\(rounded($0))" }.joined(separator: " ")
        return "\(rounded(ratios.sorted()[ratios.count / 2])) (\(all))"
    }

    private static func rounded(_ ratio: Double) -> Double { (ratio * 100).rounded() / 100 }
}

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Postgres
import Publishing
import Snapshot
import Storage
import StrictJSON
import TestSupport

@testable import HTTPAPI

/// An answer of the API.
struct Reply: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as JSON; null if it is not JSON.
    var json: JSONValue { (try? JSONDocument(parsing: body).root) ?? .null }
    /// The code of a problem.
    var code: String? { json["code"]?.string }

    subscript(field: String) -> String? { HTTPField.Name(field).flatMap { fields[$0] } }
}

/// The service's router, without a socket.
struct APIUnderTest: Sendable {
    static let consumerSecret = Secret(prefix: "")

    let api: API
    let responder: RouterResponder<APIContext>

    /// The project's folder.
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init(
        store: Store, callers: CallerMemory = CallerMemory(), isLocal: Bool = true, publicURL: String? = nil,
        logger: Logger = TestCluster.silent
    ) throws {
        api = try API(
            store: store, feed: SnapshotFeed(store: store, key: SigningKey()),
            events: EventFeed(store: store),
            sealer: AuditSealer(store: store, key: SigningKey(), logger: logger),
            consumers: ConsumerCredentials([Self.consumerSecret]),
            callers: callers, jobsDoorbell: Doorbell(), liveDoorbell: Doorbell(),
            settings: API.Settings(
                isLocal: isLocal, version: "0", edgeURL: nil, publicOrigin: publicURL.flatMap(Origin.init),
                publicDirectory: Self.repository.appending(path: "public").path(),
                contractDirectory: Self.repository.appending(path: "contract").path()))
        responder = api.buildRouter(logger: logger).buildResponder()
    }

    /// Sends a request with `token` as its credential; `fields` override it.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, token: Secret? = nil, body: String = "",
        fields: [String: String] = [:], authority: String? = "localhost"
    ) async throws -> Reply {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        if let token { head.headerFields[.authorization] = "Bearer \(token.text)" }
        if !body.isEmpty { head.headerFields[.contentLength] = "\(body.utf8.count)" }
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        let context = APIContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: TestCluster.silent))
        let response = try await responder.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), context: context)
        return try await Reply(response)
    }
}

extension Reply {
    init(_ response: Response) async throws {
        let collector = Collector()
        try await response.body.write(Writer(collector: collector))
        self.init(status: response.status.code, fields: response.headers, body: collector.bytes)
    }

    private final class Collector {
        var bytes: [UInt8] = []
    }

    private struct Writer: ResponseBodyWriter {
        let collector: Collector
        mutating func write(_ buffer: ByteBuffer) async throws { collector.bytes += Array(buffer.readableBytesView) }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}

/// An installation with one organization and a token for each role.
struct InstallationUnderTest: Sendable {
    let database: TestDatabase
    let store: Store
    let api: APIUnderTest
    let organization: ID<Organization>
    let tokens: [Role: Secret]

    /// The token of a role; every role has one.
    func token(_ role: Role) throws -> Secret {
        guard let token = tokens[role] else { throw StorageError.notFound(kind: "token", key: "\(role)") }
        return token
    }

    /// Creates another organization with an owner's token.
    func another(_ slug: String) async throws -> (organization: ID<Organization>, owner: Secret) {
        let id = ID<Organization>()
        let token = try await store.write(as: id, by: .system) { tenant in
            _ = try tenant.createOrganization(slug: slug, name: slug)
            return try tenant.createToken(name: "owner", role: .owner).secret
        }
        return (id, token)
    }

    /// Signs a user with this role in.
    ///
    /// - Parameter other: The organization of the user, or `nil` for the installation's first one.
    func signIn(_ role: Role, in other: ID<Organization>? = nil) async throws -> Secret {
        try await store.write(as: other ?? organization, by: .system) { tenant in
            let name = other == nil ? "\(role)" : "other-\(role)"
            let user = try tenant.system.ensureUser(email: "\(name)@example.com", name: name)
            try tenant.setRole(role, of: user)
            return try tenant.system.openSession(of: user.id).secret
        }
    }
}

/// Gives a test its own installation. The time limits suit a busy machine, and are not those of the service.
func withInstallation(isLocal: Bool = true, _ body: (InstallationUnderTest) async throws -> Void) async throws {
    try await withDatabase(configure: { configuration in
        configuration.deadline = .seconds(60)
        configuration.maximumWait = .seconds(60)
        configuration.lockTimeout = .seconds(60)
    }) { database in
        let store = Store(pool: database.runtime)
        let organization = ID<Organization>()
        let tokens = try await store.write(as: organization, by: .system) { tenant in
            _ = try tenant.createOrganization(slug: "acme", name: "Acme")
            return try Role.allCases.reduce(into: [Role: Secret]()) { tokens, role in
                tokens[role] = try tenant.createToken(name: "\(role)", role: role).secret
            }
        }
        try await body(
            InstallationUnderTest(
                database: database, store: store, api: APIUnderTest(store: store, isLocal: isLocal),
                organization: organization, tokens: tokens))
    }
}

/// A store whose database does not exist.
func unreachableStore() throws -> Store {
    var configuration = try PostgresConfiguration(url: "host=/nowhere dbname=x user=x")
    configuration.maximumWait = .milliseconds(200)
    return Store(pool: PostgresPool(configuration, logger: TestCluster.silent))
}

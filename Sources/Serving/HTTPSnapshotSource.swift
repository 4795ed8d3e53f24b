internal import AsyncHTTPClient
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
public import Snapshot

/// The snapshot from an API: `GET {base}/internal/manifest` and `GET {base}/internal/blobs/{sha256}` with the operator's
/// consumer credential.
///
/// Redirects are not followed: the credential goes to one server only. Every answer has a limit in bytes and in time.
public struct HTTPSnapshotSource: SnapshotSource {
    /// How long an answer may take.
    public struct Deadlines: Sendable {
        /// To connect.
        public var connecting = Duration.seconds(3)
        /// For a manifest beyond the time that the source was allowed to wait: a large one takes a while to send.
        public var manifest = Duration.seconds(60)
        /// For a blob.
        public var blob = Duration.seconds(10)

        /// 3 s, 60 s, 10 s.
        public init() {}
    }

    private let client: HTTPClient
    private let baseURL: String
    private let credential: NIOLockedValueBox<String>
    private let deadlines: Deadlines

    /// A source. `close` must be called when it is not needed any more; a follower does so when it ends.
    ///
    /// - Parameters:
    ///   - baseURL: for example `https://waymark.example.com`; with or without a slash at the end.
    ///   - credential: the consumer credential, sent as a bearer token.
    public init(baseURL: String, credential: String, deadlines: Deadlines = Deadlines()) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(deadlines.connecting))
        configuration.httpVersion = .http1Only
        // The follower has its own way of trying again, and wants to know at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.baseURL = baseURL.utf8.last == UInt8(ascii: "/") ? String(baseURL.dropLast()) : baseURL
        self.credential = NIOLockedValueBox(credential)
        self.deadlines = deadlines
    }

    /// Asks with `If-None-Match` and `?wait=`: the source answers when the activation rises, or with a 304 after so many
    /// seconds.
    public func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer {
        let answer = try await get(
            "/internal/manifest?wait=\(max(0, wait.components.seconds))", tag: tag,
            limit: Manifest.largest, deadline: wait + deadlines.manifest)
        switch answer.status {
        case 304: return .notModified
        case 200: return .manifest(signed: answer.body, tag: answer.tag ?? Manifest.entityTag(of: answer.body))
        case let status: throw .status(status)
        }
    }

    /// Asks for a blob; takes no more bytes than a file can have.
    public func blob(_ sha256: ContentHash, size: Int) async throws(SnapshotSourceError) -> [UInt8] {
        let answer = try await get(
            "/internal/blobs/\(sha256.hex)", tag: nil, limit: Blob.largest, deadline: deadlines.blob)
        guard answer.status == 200 else { throw answer.status == 404 ? .missing : .status(answer.status) }
        return answer.body
    }

    /// From now on, shows this credential in place of the one before.
    public func show(credential: String) {
        self.credential.withLockedValue { $0 = credential }
    }

    /// Closes the connections.
    public func close() async {
        try? await client.shutdown()
    }

    private struct Answer: Sendable {
        let status: Int
        let tag: String?
        let body: [UInt8]
    }

    private func get(
        _ path: String, tag: String?, limit: Int, deadline: Duration
    ) async throws(SnapshotSourceError) -> Answer {
        var request = HTTPClientRequest(url: baseURL + path)
        request.headers.add(name: "Authorization", value: "Bearer \(credential.withLockedValue { $0 })")
        if let tag { request.headers.add(name: "If-None-Match", value: tag) }
        let asked = request
        do {
            // The client's own deadline ends with the head; this one holds to the last byte of the body.
            return try await withDeadline(deadline) {
                let response = try await client.execute(asked, timeout: .seconds(deadline.components.seconds + 1))
                let status = Int(response.status.code)
                let tag = response.headers.first(name: "ETag")
                guard status == 200 else { return Answer(status: status, tag: tag, body: []) }
                let body = try await response.body.collect(upTo: limit)
                return Answer(status: status, tag: tag, body: Array(body.readableBytesView))
            }
        } catch {
            throw Self.sourceError(error)
        }
    }

    private static let timeouts: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout]

    private static func sourceError(_ error: any Error) -> SnapshotSourceError {
        switch error {
        case let error as SnapshotSourceError: error
        case is NIOTooManyBytesError: .tooLarge
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled: .cancelled
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        default: .unreachable("\(error)")
        }
    }
}

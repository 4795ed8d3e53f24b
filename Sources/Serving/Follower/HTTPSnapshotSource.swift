internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
public import Snapshot
internal import StrictJSON
internal import Timing

/// Gets the snapshot from an API: `GET {base}/internal/manifest` and `POST {base}/internal/blobs`, with the operator's
/// consumer credential.
///
/// Redirects are not followed, so the credential is sent to only one server. Every response has a size limit and a time
/// limit.
public struct HTTPSnapshotSource: SnapshotSource {
    /// The time limits for responses.
    public struct Deadlines: Sendable {
        /// The limit for connecting.
        public var connecting = Duration.seconds(3)
        /// The limit for a manifest, in addition to the time that the source may wait for a change. Sending a large
        /// manifest takes time.
        public var manifest = Duration.seconds(60)
        /// The limit for the blobs of one request.
        public var blobs = Duration.seconds(10)

        /// Creates the default limits: 3 s, 60 s, 10 s.
        public init() {}
    }

    /// The value of `A-IM` that requests a `ManifestDelta`.
    private static let delta = "waymark-delta"

    private let client: HTTPClient
    private let baseURL: String
    private let credential: ConsumerCredential
    private let deadlines: Deadlines

    /// Creates a source. Call ``close()`` when you no longer need it. A follower closes its source when it ends.
    ///
    /// - Parameters:
    ///   - baseURL: The API's address, such as `https://waymark.example.com`, with or without a slash at the end.
    ///   - credential: The credential. It is sent as a bearer token.
    public init(baseURL: String, credential: ConsumerCredential, deadlines: Deadlines = Deadlines()) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(deadlines.connecting))
        configuration.httpVersion = .http1Only
        // The follower has its own retries, and needs errors immediately.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.baseURL = baseURL.utf8.last == UInt8(ascii: "/") ? String(baseURL.dropLast()) : baseURL
        self.credential = credential
        self.deadlines = deadlines
    }

    /// Requests the manifest with `If-None-Match` and `?wait=`. The source responds when the activation increases, or
    /// with 304 when the waiting time is over. Accepts a delta from the manifest with this tag (RFC 3229).
    public func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer {
        let fields = tag.map { [("If-None-Match", $0), ("A-IM", Self.delta)] } ?? []
        let answer = try await ask(
            .GET, "/internal/manifest?wait=\(max(0, wait.components.seconds))", fields: fields,
            limit: Manifest.largest, deadline: wait + deadlines.manifest)
        switch answer.status {
        case 304: return .notModified
        case 200: return .manifest(signed: answer.body, tag: answer.tag ?? Manifest.entityTag(of: answer.body))
        case 226:
            // A delta needs its base (RFC 3229 section 10.5.5) and the new tag. Without them, the response cannot be
            // used.
            guard let base = answer.base, let tag = answer.tag else { throw .status(226) }
            return .delta(answer.body, base: base, tag: tag)
        case let status: throw .status(status)
        }
    }

    /// Requests blobs. Refuses a response that is larger than the maximum size of this number of files.
    public func blobs(_ hashes: [ContentHash]) async throws(SnapshotSourceError) -> [ContentHash: [UInt8]] {
        let wanted: JSONValue = ["sha256": .array(hashes.map { .string($0.hex) })]
        let answer = try await ask(
            .POST, "/internal/blobs", fields: [("Content-Type", "application/json")], body: wanted.bytes(),
            limit: BlobList.largest(hashes.count), deadline: deadlines.blobs)
        guard answer.status == 200 else { throw .status(answer.status) }
        return BlobList.read(answer.body)
    }

    /// Closes the connections.
    public func close() async {
        try? await client.shutdown()
    }

    private struct Answer: Sendable {
        let status: Int
        var tag: String?
        var base: String?
        var body: [UInt8] = []
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, fields: [(String, String)], body: [UInt8]? = nil, limit: Int,
        deadline: Duration
    ) async throws(SnapshotSourceError) -> Answer {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = method
        request.headers.add(name: "Authorization", value: credential.authorization)
        request.headers.add(contentsOf: fields)
        request.body = body.map { .bytes($0) }
        let asked = request
        do {
            // The client's own deadline covers only the response head. This one also covers the body.
            return try await withTimeout(deadline) {
                let response = try await client.execute(asked, timeout: .seconds(deadline.components.seconds + 1))
                var answer = Answer(status: Int(response.status.code))
                guard [200, 226].contains(answer.status) else { return answer }
                answer.tag = response.headers.first(name: "ETag")
                answer.base = response.headers.first(name: "Delta-Base")
                answer.body = try await Self.bytes(of: response, limit: limit)
                return answer
            }
        } catch {
            throw Self.sourceError(error)
        }
    }

    /// Reads the body. It can be large, so memory for the announced length is reserved first, and the bytes are copied
    /// only once.
    private static func bytes(of response: HTTPClientResponse, limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        if let length = response.headers.first(name: "Content-Length").flatMap(Int.init) {
            guard length <= limit else { throw SnapshotSourceError.tooLarge }
            bytes.reserveCapacity(max(0, length))
        }
        for try await part in response.body {
            guard bytes.count + part.readableBytes <= limit else { throw SnapshotSourceError.tooLarge }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    private static let timeouts: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout]

    private static func sourceError(_ error: any Error) -> SnapshotSourceError {
        switch error {
        case let error as SnapshotSourceError: error
        case is TimedOut: .timedOut
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled: .cancelled
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        default: .unreachable(error.connectionFault)
        }
    }
}

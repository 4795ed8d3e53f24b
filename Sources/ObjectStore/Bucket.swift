internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import Timing

/// A bucket of an S3-compatible store. Waymark reads, writes conditionally, deletes and lists objects in it. Every
/// request is signed, and has a size limit and a time limit. Redirects are not followed.
public struct Bucket: Sendable {
    /// The time limit of a request, until the end of its response.
    public static let deadline = Duration.seconds(5)
    /// The maximum size of an object to read. Waymark writes only smaller objects.
    public static let largestObject = 1 << 20
    /// The maximum size of a page of a listing, in bytes. A page has at most 1,000 keys of at most 1,024 bytes.
    static let largestListing = 8 << 20

    private let address: BucketAddress
    private let credentials: @Sendable () -> Credentials
    private let deadline: Duration
    private let client: HTTPClient

    /// Creates a bucket. Call ``close()`` when you no longer need it.
    ///
    /// - Parameters:
    ///   - connections: The maximum number of concurrent requests. Further requests wait, but not beyond their
    ///     deadline.
    ///   - credentials: Called for each request, so that the credentials can change.
    public init(
        _ address: BucketAddress, connections: Int, deadline: Duration = Bucket.deadline,
        credentials: @escaping @Sendable () -> Credentials
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(3))
        configuration.httpVersion = .http1Only
        // Callers have their own retries, and need errors immediately.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.address = address
        self.credentials = credentials
        self.deadline = deadline
    }

    /// Returns the object at a key, or `nil` if it does not exist.
    public func object(_ key: String) async throws(ObjectStoreError) -> StoredObject? {
        let answer = try await ask("GET", key)
        if answer.status == 404, answer.code != "NoSuchBucket" { return nil }
        guard answer.status == 200 else { throw answer.refusal }
        guard let etag = answer.headers.first(name: "ETag") else { throw .unreadable("an object without an ETag") }
        return StoredObject(
            answer.headers.map { ($0.name, $0.value) }, bytes: answer.isWhole ? answer.body : nil, etag: etag)
    }

    /// Writes an object. Throws `changedMeanwhile` if another client has written or deleted the object at the key
    /// meanwhile.
    ///
    /// - Parameter known: The tag of the object to replace. If `nil`, the key must not exist.
    public func put(_ content: ObjectContent, at key: String, replacing known: String?) async throws(ObjectStoreError) {
        var headers = [known.map { ("If-Match", $0) } ?? ("If-None-Match", "*")]
        headers += [("Content-Type", content.contentType), ("Cache-Control", content.cacheControl)]
        for (name, value) in content.metadata { headers.append(("x-amz-meta-\(name)", value)) }
        let answer = try await ask("PUT", key, headers: headers, body: content.bytes)
        // Another client deleted the object after it was read.
        if known != nil, answer.status == 404, answer.code == "NoSuchKey" { throw .changedMeanwhile }
        guard answer.status == 200 else { throw answer.refusal }
    }

    /// Deletes an object. Throws `changedMeanwhile` if another client has written the object meanwhile and the store
    /// detects this. Throws `noCondition` if the store does not support conditional deletion.
    ///
    /// - Parameter known: The tag of the object to delete, or `nil` to delete any object at the key.
    public func delete(_ key: String, known: String?) async throws(ObjectStoreError) {
        let answer = try await ask("DELETE", key, headers: known.map { [("If-Match", $0)] } ?? [])
        if known != nil, answer.status == 501 { throw .noCondition }
        guard [200, 204, 404].contains(answer.status), answer.code != "NoSuchBucket" else { throw answer.refusal }
    }

    /// Returns a page of the keys with a prefix.
    public func list(
        prefix: String, page: String? = nil
    ) async throws(ObjectStoreError) -> ObjectListing {
        var query = [("list-type", "2"), ("prefix", prefix)]
        if let page { query.append(("continuation-token", page)) }
        let answer = try await ask("GET", "", query: query, limit: Self.largestListing)
        guard answer.status == 200 else { throw answer.refusal }
        guard answer.isWhole else { throw .unreadable("a page of more than \(Self.largestListing) bytes") }
        guard let listing = ListingReader(answer.body).listing() else { throw .unreadable("not a list of keys") }
        return listing
    }

    /// Closes the connections.
    public func close() async {
        try? await client.shutdown()
    }

    private struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
        /// True if `body` is the complete body of the response.
        let isWhole: Bool

        /// The code in S3's error document, or an empty string.
        var code: String { status < 300 ? "" : String((ListingReader(body).value("Code") ?? "").prefix(64)) }

        var refusal: ObjectStoreError {
            if status == 412 || (status == 409 && code == "ConditionalRequestConflict") { return .changedMeanwhile }
            let message = ListingReader(body).value("Message") ?? ""
            return .refused(status: status, code: code, message: String(message.prefix(500)))
        }
    }

    private func ask(
        _ method: String, _ key: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: [UInt8] = [], limit: Int = Bucket.largestObject
    ) async throws(ObjectStoreError) -> Answer {
        let path = address.path(key)
        let signer = RequestSigner(credentials: credentials(), region: address.region)
        let signed = signer.signed(
            method: method, path: path, query: query, headers: headers + [("Host", address.host)], body: body,
            at: Date())
        var request = HTTPClientRequest(url: address.url(path, query: RequestSigner.canonicalQuery(query)))
        request.method = HTTPMethod(rawValue: method)
        request.headers = HTTPHeaders(signed)
        if method == "PUT" { request.body = .bytes(body) }
        let asked = request
        do {
            // The client's own deadline covers only the response head. This one also covers the body.
            return try await withTimeout(deadline) { try await answer(to: asked, limit: limit) }
        } catch {
            throw Self.storeError(error)
        }
    }

    private func answer(to request: HTTPClientRequest, limit: Int) async throws -> Answer {
        let response = try await client.execute(request, timeout: .seconds(deadline.components.seconds + 1))
        // If the head already shows that the object is too large, the body is not read.
        let length = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        var body: [UInt8] = []
        var isWhole = length <= limit
        if isWhole {
            for try await part in response.body {
                isWhole = body.count + part.readableBytes <= limit
                guard isWhole else { break }
                body.append(contentsOf: part.readableBytesView)
            }
        }
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: body, isWhole: isWhole)
    }

    /// The errors that count as timeouts. Waiting too long for a free connection is one of them, because the bucket has
    /// not responded to the requests that use the connections.
    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout, .readTimeout, .writeTimeout,
        .getConnectionFromPoolTimeout,
    ]

    private static func storeError(_ error: any Error) -> ObjectStoreError {
        switch error {
        case let error as ObjectStoreError: error
        case is TimedOut: .timedOut
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled: .cancelled
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        default: .unreachable("\(error)")
        }
    }
}

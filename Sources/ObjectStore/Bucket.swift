internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1

/// A bucket of an S3-compatible store: read, write under a condition, delete, list. Every request is signed, and has a
/// limit in bytes and in time. Redirects are not followed.
public struct Bucket: Sendable {
    /// How long a request may take to its last byte.
    public static let deadline = Duration.seconds(5)
    /// The largest object whose bytes are read: more than any that is written.
    public static let largestObject = 1 << 20
    /// A page of a list has at most 1,000 keys of at most 1,024 bytes.
    static let largestListing = 8 << 20

    private let address: BucketAddress
    private let credentials: @Sendable () -> Credentials
    private let deadline: Duration
    private let client: HTTPClient

    /// A bucket. `close` must be called when it is not needed any more.
    ///
    /// - Parameters:
    ///   - connections: how many requests are under way at once; more wait for one of them, within their deadline.
    ///   - credentials: asked for each request, so that they can be exchanged.
    public init(
        _ address: BucketAddress, connections: Int, deadline: Duration = Bucket.deadline,
        credentials: @escaping @Sendable () -> Credentials
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(3))
        configuration.httpVersion = .http1Only
        // Who uses the bucket has a way of its own of trying again, and wants to know at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.address = address
        self.credentials = credentials
        self.deadline = deadline
    }

    /// What is at a key; `nil` when nothing is.
    public func object(_ key: String) async throws(ObjectStoreError) -> StoredObject? {
        let answer = try await ask("GET", key)
        if answer.status == 404, answer.code != "NoSuchBucket" { return nil }
        guard answer.status == 200 else { throw answer.refusal }
        guard let etag = answer.headers.first(name: "ETag") else { throw .unreadable("an object without an ETag") }
        return StoredObject(
            answer.headers.map { ($0.name, $0.value) }, bytes: answer.isWhole ? answer.body : nil, etag: etag)
    }

    /// Writes an object, unless another than the known one is there. Throws `changedMeanwhile` then.
    ///
    /// - Parameter known: the tag of what is to be replaced; `nil` when nothing is there.
    public func put(_ content: ObjectContent, at key: String, replacing known: String?) async throws(ObjectStoreError) {
        var headers = [known.map { ("If-Match", $0) } ?? ("If-None-Match", "*")]
        headers += [("Content-Type", content.contentType), ("Cache-Control", content.cacheControl)]
        for (name, value) in content.metadata { headers.append(("x-amz-meta-\(name)", value)) }
        let answer = try await ask("PUT", key, headers: headers, body: content.bytes)
        // Deleted since it was read.
        if known != nil, answer.status == 404, answer.code == "NoSuchKey" { throw .changedMeanwhile }
        guard answer.status == 200 else { throw answer.refusal }
    }

    /// Deletes an object, unless another than the known one is there, where the store heeds the condition. Throws
    /// `noCondition` where it refuses every condition.
    ///
    /// - Parameter known: the tag of what is to be deleted; `nil` for whatever is there.
    public func delete(_ key: String, known: String?) async throws(ObjectStoreError) {
        let answer = try await ask("DELETE", key, headers: known.map { [("If-Match", $0)] } ?? [])
        if known != nil, answer.status == 501 { throw .noCondition }
        guard [200, 204, 404].contains(answer.status), answer.code != "NoSuchBucket" else { throw answer.refusal }
    }

    /// A page of the keys that begin with a prefix.
    public func list(
        prefix: String, page: String? = nil
    ) async throws(ObjectStoreError) -> ObjectListing {
        var query = [("list-type", "2"), ("prefix", prefix)]
        if let page { query.append(("continuation-token", page)) }
        let answer = try await ask("GET", "", query: query, limit: Self.largestListing)
        guard answer.status == 200 else { throw answer.refusal }
        guard answer.isWhole else { throw .unreadable("a page of more than \(Self.largestListing) bytes") }
        guard let listing = ListingReader(answer.body).listing() else { throw .unreadable("no list of its keys") }
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
        /// Whether the body is all that was sent, or would have been.
        let isWhole: Bool

        /// The code of S3's error document; empty where there is none.
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
            return try await withDeadline { try await answer(to: asked, limit: limit) }
        } catch {
            throw Self.storeError(error)
        }
    }

    private func answer(to request: HTTPClientRequest, limit: Int) async throws -> Answer {
        let response = try await client.execute(request, timeout: .seconds(deadline.components.seconds + 1))
        // Of what is too large nothing is read: its head tells enough.
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

    /// The client's own deadline ends with the head; this one holds to the last byte of the body.
    private func withDeadline(_ work: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { [deadline] group in
            group.addTask(operation: work)
            group.addTask {
                try await Task.sleep(for: deadline)
                throw ObjectStoreError.timedOut
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw ObjectStoreError.cancelled }
            return first
        }
    }

    /// A connection that does not become free is one on which the bucket has not answered.
    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout, .readTimeout, .writeTimeout,
        .getConnectionFromPoolTimeout,
    ]

    private static func storeError(_ error: any Error) -> ObjectStoreError {
        switch error {
        case let error as ObjectStoreError: error
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled: .cancelled
        case let error as HTTPClientError where timeouts.contains(error): .timedOut
        default: .unreachable("\(error)")
        }
    }
}

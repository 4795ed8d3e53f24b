internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1

/// A bucket of an S3-compatible store: read, write under a condition, delete, list. Every request is signed, and has a
/// limit in bytes and in time. Redirects are not followed.
public struct Bucket: Sendable {
    /// How long a request may take to its last byte.
    public static let deadline = Duration.seconds(5)
    /// The largest object that is read, in bytes: more than any that is written.
    static let largestObject = 1 << 20
    /// A page of a list has at most 1,000 keys of at most 1,024 bytes.
    static let largestListing = 8 << 20

    private let address: BucketAddress
    private let credentials: @Sendable () -> Credentials
    private let deadline: Duration
    private let client: HTTPClient

    /// A bucket. `close` must be called when it is not needed any more.
    ///
    /// - Parameter credentials: asked for each request, so that they can be exchanged.
    public init(
        _ address: BucketAddress, deadline: Duration = Bucket.deadline,
        credentials: @escaping @Sendable () -> Credentials
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(3))
        configuration.httpVersion = .http1Only
        // Who uses the bucket has a way of its own of trying again, and wants to know at once.
        configuration.connectionPool.retryConnectionEstablishment = false
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
        let prefix = "x-amz-meta-"
        var metadata: [String: String] = [:]
        for (name, value) in answer.headers where name.lowercased().hasPrefix(prefix) {
            metadata[String(name.lowercased().dropFirst(prefix.count))] = value
        }
        return StoredObject(
            content: ObjectContent(
                bytes: answer.body, contentType: answer.headers.first(name: "Content-Type"),
                cacheControl: answer.headers.first(name: "Cache-Control"), metadata: metadata),
            etag: etag)
    }

    /// Writes an object, unless another than the known one is there. Throws `changedMeanwhile` then.
    ///
    /// - Parameter known: the tag of what is to be replaced; `nil` when nothing is there.
    public func put(_ content: ObjectContent, at key: String, replacing known: String?) async throws(ObjectStoreError) {
        var headers = [known.map { ("If-Match", $0) } ?? ("If-None-Match", "*")]
        if let type = content.contentType { headers.append(("Content-Type", type)) }
        if let cacheControl = content.cacheControl { headers.append(("Cache-Control", cacheControl)) }
        for (name, value) in content.metadata { headers.append(("x-amz-meta-\(name)", value)) }
        let answer = try await ask("PUT", key, headers: headers, body: content.bytes)
        guard answer.status == 200 else { throw answer.refusal }
    }

    /// Deletes an object, unless another than the known one is there, where the store heeds the condition.
    public func delete(_ key: String, known: String) async throws(ObjectStoreError) {
        let answer = try await ask("DELETE", key, headers: [("If-Match", known)])
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
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= limit else {
                throw ObjectStoreError.unreadable("more than \(limit) bytes")
            }
            body.append(contentsOf: part.readableBytesView)
        }
        return Answer(status: Int(response.status.code), headers: response.headers, body: body)
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

    private static let timeouts: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout]

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

import AsyncHTTPClient
import FoundationEssentials
import Hex
import NIOCore
import NIOHTTP1
import Serving
import StrictJSON

/// An API client that uses a token.
///
/// Redirects are not followed, so the token is sent to only one server. Every response has a size limit and a time
/// limit.
struct RemoteAPI: Sendable {
    /// The time limit for a response.
    static let deadline = Duration.seconds(30)
    /// The size limit for a response, in bytes.
    static let limit = 16 << 20

    /// A response of the API.
    struct Answer: Sendable {
        let status: Int
        let body: JSONValue
        /// The path of the next part of a download. `nil` for other responses.
        var next: String?

        /// The problem's code, such as `gate_refused`.
        var code: String { body["code"]?.string ?? "" }
        /// The error message: the problem and the remedy.
        var detail: String { body["detail"]?.string ?? "the API answered \(status)" }
    }

    /// The error if the API does not respond, or if the response is not from Waymark.
    struct Unreachable: Error, CustomStringConvertible {
        let description: String
    }

    private let client: HTTPClient
    private let baseURL: String
    private let token: String?

    /// Who sends the requests.
    enum Sender {
        /// The holder of the token in `WAYMARK_TOKEN`.
        case tokenInEnvironment
        /// The holder of this token.
        case bearer(String)
        /// A caller without a token.
        case nobody
    }

    /// The API's address, without a slash at its end: `url`, else the value of `WAYMARK_URL`, else port 8080 of this
    /// machine.
    static func address(_ url: String?) -> String {
        let given = url ?? ProcessInfo.processInfo.environment["WAYMARK_URL"] ?? "http://127.0.0.1:8080"
        return given.hasSuffix("/") ? String(given.dropLast()) : given
    }

    private init(client: HTTPClient, baseURL: String, token: String?) {
        self.client = client
        self.baseURL = baseURL
        self.token = token
    }

    /// Runs `body` with a client of the API at ``address(_:)``, and closes its connections afterwards. By default, the
    /// token is read from the environment, because other users can see the arguments of a process.
    static func with<Value>(
        url: String?, as sender: Sender = .tokenInEnvironment, _ body: (RemoteAPI) async throws -> Value
    ) async throws -> Value {
        let token = try token(of: sender)
        let base = address(url)
        guard ServerURL.isUsable(base) else {
            throw Refusal("the API's address must be http(s)://host or http(s)://host:port: \(base)")
        }
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(5))
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let api = RemoteAPI(
            client: client, baseURL: base, token: token)
        let result: Result<Value, any Error>
        do { result = .success(try await body(api)) } catch { result = .failure(error) }
        try? await client.shutdown()
        return try result.get()
    }

    private static func token(of sender: Sender) throws -> String? {
        switch sender {
        case .nobody: return nil
        case .bearer(let token): return token
        case .tokenInEnvironment:
            guard let token = ProcessInfo.processInfo.environment["WAYMARK_TOKEN"], !token.isEmpty else {
                throw Refusal("set WAYMARK_TOKEN to an API token; `waymark token create` creates one")
            }
            return token
        }
    }

    /// Sends a GET request.
    /// - Throws: ``Unreachable``.
    func get(_ path: String) async throws -> Answer { try await send(.GET, path, nil) }

    /// Sends a GET request whose response is not JSON, unless it is a problem.
    ///
    /// - Returns: The response. If its status is 200, its body is null, and the bytes are the second value.
    /// - Throws: ``Unreachable``.
    func download(_ path: String) async throws -> (Answer, [UInt8]) {
        let (status, bytes, next) = try await receive(.GET, path, nil)
        return status == 200
            ? (Answer(status: status, body: .null, next: next), bytes) : (try answer(status, bytes), [])
    }

    /// Sends a PATCH request that applies only if the resource still has the ETag `ifMatch`.
    /// - Throws: ``Unreachable``. The API may have made the change anyway.
    func patch(_ path: String, _ body: JSONValue, ifMatch: String) async throws -> Answer {
        try await send(.PATCH, path, body, ifMatch: ifMatch)
    }

    /// Sends a POST request.
    /// - Throws: ``Unreachable``. The API may have created the resource anyway.
    func post(_ path: String, _ body: JSONValue) async throws -> Answer { try await send(.POST, path, body) }

    /// Sends a DELETE request.
    /// - Throws: ``Unreachable``. The API may have deleted the resource anyway.
    func delete(_ path: String, ifMatch: String? = nil) async throws -> Answer {
        try await send(.DELETE, path, nil, ifMatch: ifMatch)
    }

    /// Encodes a segment of a path.
    static func segment(_ text: String) -> String { PercentEncoding.encode(text) }

    private func send(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue?, ifMatch: String? = nil
    ) async throws -> Answer {
        let (status, bytes, _) = try await receive(method, path, body, ifMatch: ifMatch)
        return try answer(status, bytes)
    }

    private func answer(_ status: Int, _ bytes: [UInt8]) throws -> Answer {
        guard !bytes.isEmpty else { return Answer(status: status, body: .null) }
        let limits = JSONLimits(bytes: Self.limit, depth: 64, values: .max)
        guard let json = try? JSONValue(parsing: bytes, limits: limits) else {
            throw Unreachable(description: "the server at \(baseURL) is not Waymark's API")
        }
        return Answer(status: status, body: json)
    }

    private func receive(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue?, ifMatch: String? = nil
    ) async throws -> (status: Int, bytes: [UInt8], next: String?) {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let ifMatch { request.headers.add(name: "If-Match", value: ifMatch) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body.bytes())
        }
        do {
            let response = try await client.execute(request, timeout: TimeAmount(Self.deadline))
            let bytes = Array(try await response.body.collect(upTo: Self.limit).readableBytesView)
            let next = response.headers.first(name: "Link")?.firstMatch(of: /<([^>]*)>; rel="next"/)?.1
            return (Int(response.status.code), bytes, next.map(String.init))
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Unreachable(description: "the API at \(baseURL) cannot be reached: \(error.connectionFault)")
        }
    }
}

import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import Postgres
import Storage

/// Adds a `Request-Id`, a log line and metrics to every request, and converts errors into problems.
struct Envelope: RouterMiddleware {
    let logger: Logger
    let metrics = RequestMetrics()
    /// True if the public address uses https. Browsers then get a header that forbids http (RFC 6797).
    let isSecure: Bool
    let access: CrossOriginAccess
    /// The address and the network of a client.
    let client: @Sendable (_ peer: String, _ forwardedFor: String?) -> (address: String, network: [UInt8])
    /// Handles requests without a route.
    let otherwise: @Sendable (Request) throws -> Answer

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let id = request.headers[.requestID].flatMap(accepted) ?? UUID().uuidString.lowercased()
        let start = ContinuousClock.now
        let log = RequestLog()
        var response =
            Self.readingMethods.contains(request.method)
            ? await answer(request, context, id, next)
            : await RequestLog.$current.withValue(log) { await answer(request, context, id, next) }
        response.headers[.requestID] = id
        response.headers[.xContentTypeOptions] = "nosniff"
        access.allow(request.head, &response.headers)
        // One year. `includeSubDomains` is not set, because other services may run on subdomains of this host.
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        if request.method == .head { response = response.createHeadResponse() }
        record(request, context, response, id, ContinuousClock.now - start, log.metadata)
        return response
    }

    private func answer(
        _ request: Request, _ context: APIContext, _ id: String,
        _ next: (Request, APIContext) async throws -> Response
    ) async -> Response {
        do {
            do {
                try Framing.check(request.head)
                if let preflight = access.preflight(request.head) { return preflight.response }
                guard !Self.readingMethods.contains(request.method) else { return try await next(request, context) }
                let address = client(context.peer, request.headers[.forwardedFor]).address
                return try await RequestOrigin.$current.withValue(RequestOrigin(requestID: id, address: address)) {
                    try await next(request, context)
                }
            } catch let error as HTTPError where error.status == .notFound {
                return try otherwise(request).response
            }
        } catch {
            if let error = error as? PostgresError, error.isUnavailable {
                // The client gets only a 503, so log the reason for the operator.
                logger.warning(
                    "A request failed because the database is unavailable.",
                    metadata: ["request": "\(id)", "error": "\(error)"])
            }
            if let problem = APIError(error) { return problem.answer(requestID: id).response }
            logger.error(
                "A request failed because of an internal error.",
                metadata: ["request": "\(id)", "error": "\(error)"])
            return APIError(
                .internalServerError, "internal_error",
                "Waymark has an internal error. Find this request's ID in the log for details."
            ).answer(requestID: id).response
        }
    }

    /// The methods of requests that change nothing.
    private static let readingMethods: Set<HTTPRequest.Method> = [.get, .head, .options]

    /// Returns the client's request ID if it has 1 to 64 letters, digits, `-` and `_`.
    private func accepted(_ id: String) -> String? {
        let isHarmless = id.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        return isHarmless && (1...64).contains(id.utf8.count) ? id : nil
    }

    private func record(
        _ request: Request, _ context: APIContext, _ response: Response, _ id: String, _ duration: Duration,
        _ noted: Logger.Metadata
    ) {
        let route = context.endpointPath ?? "page"
        let milliseconds = Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3
        metrics.record(request.method, route: route, status: response.status.code, duration)
        logger.info(
            "\(request.method) \(request.uri.path) \(response.status.code)",
            metadata: [
                "request": "\(id)", "peer": "\(context.peer)",
                "ms": "\((milliseconds * 10).rounded() / 10)",
            ].merging(noted) { own, _ in own })
    }
}

import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
import Postgres
import Storage
import Timing

/// The context of a request: Hummingbird's context, and the peer's address for the log.
public struct APIContext: RequestContext {
    /// Hummingbird's part of the context.
    public var coreContext: CoreRequestContextStorage
    let peer: String

    /// Creates the context of a request on a channel.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? "local"
    }
}

extension API {
    /// The time limit for receiving a request body.
    static let bodyDeadline = Duration.seconds(18)

    /// Creates the router for all ``routes``. For any other path, it returns a page of the dashboard or an error.
    public func buildRouter(logger: Logger) -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        let routes = routes
        router.add(
            middleware: Envelope(
                logger: logger, isSecure: settings.publicOrigin?.isSecure ?? false,
                access: CrossOriginAccess(origins: settings.allowedOrigins), client: settings.client
            ) { request in
                try otherwise(request, routes)
            })
        for route in routes {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await respond(to: request, by: route, context).response
            }
        }
        return router
    }

    private func respond(to request: Request, by route: Route, _ context: APIContext) async throws -> Answer {
        switch route.handler {
        case .probe, .consumer: break  // Monitors and consumers use internal addresses.
        case .anyone, .arrival, .exchange, .caller, .member: try authentication.requireOwnHost(request.head)
        }
        switch route.handler {
        case .probe(let answer):
            return try await answer(call(request, route, context, .visitor))
        case .anyone(let answer):
            return try await with(rates.countVisit(request.head, context)) {
                try await work(on: call(request, route, context, .visitor), by: route, answer)
            }
        case .arrival(let answer):
            return try await with(rates.countVisit(request.head, context, isCostly: route.isCostly)) {
                try await work(on: call(request, route, context, .arrival), by: route, answer)
            }
        case .exchange(let answer):
            return try await with(rates.countVisit(request.head, context)) {
                try await work(on: call(request, route, context, .exchange), by: route, answer)
            }
        case .caller(let answer):
            let caller = try await caller(of: request, context)
            let claimant = Claimant(caller)
            let fields =
                try route.isCostly
                ? rates.countCostlyCall(claimant, request.head, context) : rates.countCall(claimant)
            return try await with(fields) {
                try route.requirePerson(caller)
                let call = try await call(request, route, context, claimant)
                return try await work(on: call, by: route) { [authentication] call in
                    let caller = try await authentication.caller(of: call.request)
                    try route.requirePerson(caller)
                    guard route.mayChange else { return try await answer(call, caller) }
                    let owner = try? IdempotencyClaim.Owner.account(caller.session.user.id)
                    return try await tryOutOrMake(call, by: route, for: owner) { try await answer(call, caller) }
                }
            }
        case .member(let role, let answer):
            let caller = try await caller(of: request, context)
            let member = Result { try authentication.member(caller, in: request.head, atLeast: role) }
            let claimant = Claimant(caller, in: try? member.get().organization)
            return try await with(rates.countCall(claimant)) {
                // A token must not ask for a higher role in vain.
                if route.needsSession { _ = try caller.session }
                let member = try member.get()
                try route.requirePerson(caller)
                let call = try await call(request, route, context, claimant)
                return try await work(on: call, by: route) { [authentication] call in
                    let member = try await authentication.member(of: call, by: route, atLeast: role)
                    guard route.mayChange else {
                        let answer = try await answer(call, member)
                        if call.isWatching { _ = try await authentication.member(of: call, by: route, atLeast: role) }
                        return answer
                    }
                    return try await RequestOrigin.$current.withValue(call.originWithReason()) {
                        try await change(call, by: route, member) { try await answer(call, member) }
                    }
                }
            }
        case .consumer(let answer):
            try authentication.requireConsumer(request.head)
            return try await answer(call(request, route, context, .consumer))
        }
    }

    /// Handles a call that changes something of an organization, if that is within the reach of a limited role.
    private func change(
        _ call: Call, by route: Route, _ member: Member, _ answer: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        if member.grant.isLimited {
            switch route.reach {
            case .organization: try member.requireUnlimited()
            case .domain:
                let host = try call.host()
                try await read(as: member) { try $0.require(member.grant, toReach: [host]) }
            case .handler: break
            }
        }
        let owner = call.claimant.caller.map { IdempotencyClaim.Owner.caller($0, in: member.organization.id) }
        return try await tryOutOrMake(call, by: route, for: owner, answer)
    }

    /// Handles a call that changes something: only to try it out if it asks for that, and at most once if it has an
    /// idempotency key.
    private func tryOutOrMake(
        _ call: Call, by route: Route, for owner: IdempotencyClaim.Owner?,
        _ answer: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        if try route.canTryOut && call.flag(Route.dryRun) {
            // A key is checked, but not used.
            if route.method == .post { _ = try call.idempotencyKey() }
            var tried = try await DryRun.$isOn.withValue(true) { try await answer() }
            // The session of a cookie would not exist.
            tried.fields[.setCookie] = nil
            return tried
        }
        guard route.method == .post else { return try await answer() }
        return try await once(call, owner, answer)
    }

    /// Identifies the caller. A failed attempt counts as a request of the client's address.
    private func caller(of request: Request, _ context: APIContext) async throws -> Caller {
        do {
            return try await authentication.caller(of: request.head)
        } catch let error as APIError where error.status == .unauthorized {
            throw error.with(try rates.countVisit(request.head, context))
        }
    }

    /// Adds fields to a response or a problem.
    private func with(_ fields: HTTPFields, _ answer: () async throws -> Answer) async throws -> Answer {
        do {
            return try await answer().with(fields)
        } catch let error where !(error is PostgresError) {
            throw APIError(error)?.with(fields) ?? error
        }
    }

    /// Handles a call when it has a slot. Calls of brief routes do not run on the work threads.
    private func work(
        on call: Call, by route: Route, _ answer: @escaping @Sendable (Call) async throws -> Answer
    ) async throws -> Answer {
        if route.isBrief { return try await briefConcurrency.work(for: call.claimant) { try await answer(call) } }
        let work = { [concurrency, threads] in
            try await concurrency.work(for: call.claimant) {
                try await withTaskExecutorPreference(threads) { try await answer(call) }
            }
        }
        return try await call.isWatching ? concurrency.watch(for: call.claimant, work) : work()
    }

    /// Reads the whole request, within the route's limit and the deadline. Rejects unknown query parameters. The
    /// caller's rights must have been checked before.
    private func call(
        _ request: Request, _ route: Route, _ context: APIContext, _ claimant: Claimant
    ) async throws -> Call {
        try Self.checkParameters(of: request, route)
        if let length = request.headers[.contentLength].flatMap(Int.init), length > route.bodyLimit {
            throw APIError.tooLarge(route.bodyLimit)
        }
        let room = route.isProbe ? nil : bodies.room(for: claimant.owner)
        let body = try await Self.body(of: request, upTo: route.bodyLimit, into: room)
        return Call(
            request: request.head, uri: request.uri, parameters: context.parameters,
            body: body, room: room, claimant: claimant, concurrency: concurrency,
            network: route.isCostly ? rates.network(of: request.head, context) : RateLimiter.others)
    }

    private static func checkParameters(of request: Request, _ route: Route) throws {
        guard request.uri.query != nil else { return }
        let parameters = request.uri.queryParameters.map { String($0.key) }
        if let unknown = parameters.first(where: { !route.query.contains($0) }) {
            throw APIError.unknownParameter(unknown, known: route.query)
        }
        var seen: Set<String> = []
        if let again = parameters.first(where: { !route.repeatable.contains($0) && !seen.insert($0).inserted }) {
            throw APIError.repeatedParameter(again)
        }
    }

    /// Reads the whole body. If `room` is `nil`, discards it.
    private static func body(
        of request: Request, upTo limit: Int, into room: BodyBudget.Room?
    ) async throws -> [UInt8] {
        // Most requests have no body. Without one, skip the deadline, which needs a task group and a timer.
        guard hasBody(request) else { return [] }
        do {
            return try await withTimeout(bodyDeadline) { try await read(request.body, upTo: limit, into: room) }
        } catch is TimedOut {
            throw APIError(.requestTimeout, "request_timeout", "The body did not arrive within \(bodyDeadline).")
        } catch let error where !(error is APIError) && !(error is CancellationError) {
            // The client ended the connection before the end of the body, or its chunks are malformed.
            throw APIError(
                .badRequest, "malformed_request",
                "The body does not match its Content-Length, or its chunks are malformed."
            ).endingConnection
        }
    }

    /// True if one of these fields announces a body (RFC 9112, section 6.3).
    private static func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil || request.headers[.contentLength].map { $0 != "0" } ?? false
    }

    /// Collects the bytes of a body as they arrive.
    private static func read(
        _ body: RequestBody, upTo limit: Int, into room: BodyBudget.Room?
    ) async throws -> [UInt8] {
        var (bytes, count) = ([UInt8](), 0)
        for try await part in body {
            count += part.readableBytes
            guard count <= limit else { throw APIError.tooLarge(limit) }
            guard let room else { continue }
            try room.take(part.readableBytes)
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    /// Handles a request without a route.
    private func otherwise(_ request: Request, _ routes: [Route]) throws -> Answer {
        try authentication.requireOwnHost(request.head)
        let path = request.uri.path
        let segments = Route.segments(of: path)
        let methods = routes.filter { $0.matches(segments) }.flatMap { route in
            route.method == .get ? ["GET", "HEAD"] : [route.method.rawValue]
        }
        guard methods.isEmpty else { throw APIError.methodNotAllowed(methods.joined(separator: ", ")) }
        guard let page = pages.page(at: path) else {
            guard let answer = pages.notFound(request.head) else { throw APIError.noSuchPath }
            return answer
        }
        guard request.method == .get || request.method == .head else { throw APIError.methodNotAllowed("GET, HEAD") }
        return page.answer(to: request.head)
    }
}

extension Call {
    /// Whether the client waits for something that has not happened yet.
    fileprivate var isWatching: Bool { query("wait").map { $0 != "0" } ?? false }
}

extension Authentication {
    /// Returns the member with the rights of this moment. Receiving the body, and waiting, can take half a minute. Rights
    /// that ended meanwhile do not count.
    fileprivate func member(of call: Call, by route: Route, atLeast role: Role) async throws -> Member {
        let caller = try await caller(of: call.request)
        try route.requirePerson(caller)
        return try member(caller, in: call.request, atLeast: role)
    }
}

extension Route {
    /// Throws 403 `session_required`, `own_account_required` or `confirmation_required` if this route is not for this
    /// caller.
    fileprivate func requirePerson(_ caller: Caller) throws {
        guard needsSession else { return }
        let session = try caller.session
        if case .caller = handler, session.provider != nil, !isForProviderSessions {
            throw APIError.ownAccountRequired
        }
        guard !needsConfirmation || session.confirmedSecondsLeft > 0 else { throw APIError.confirmationRequired }
    }
}

extension Answer {
    /// The maximum size of a body that is written in one piece, in bytes.
    private static let longestPiece = 256 * 1024

    var response: Response {
        guard body.count > Self.longestPiece else {
            return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
        }
        // A manifest can be large, and many clients can request it. All responses share its bytes, and each copies one
        // piece at a time.
        return Response(
            status: status, headers: fields,
            body: ResponseBody(contentLength: body.count) { [body] writer in
                for start in stride(from: 0, to: body.count, by: Self.longestPiece) {
                    let piece = body[start..<min(start + Self.longestPiece, body.count)]
                    try await writer.write(ByteBuffer(bytes: piece))
                }
                try await writer.finish(nil)
            })
    }
}

import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
public import NIOSSL
import Synchronization

/// Fetches addresses that customers gave, without giving them access to the operator's network.
///
/// The name is resolved once. If one of its addresses is special, nothing is fetched. Otherwise the connection goes to
/// exactly the address that was checked, so a name server that changes its answer gains nothing (DNS rebinding). SNI
/// and `Host` stay the name. Redirects are refused, proxies are not used, and answers are not decompressed.
public final class GuardedClient: Sendable {
    /// The limits of each request.
    public struct Limits: Sendable {
        /// The maximum time for resolving the name, and for connecting.
        public var step = Duration.seconds(3)
        /// The maximum time for the whole request.
        public var total = Duration.seconds(8)
        /// The maximum number of requests at the same time. Further requests are refused.
        public var requests = 16
        /// The maximum number of addresses to try, one after another.
        public var addresses = 3

        /// Creates the default limits.
        public init() {}
    }

    private let limits: Limits
    private let allowsLoopback: Bool
    private let tls: NIOSSLContext
    private let group: MultiThreadedEventLoopGroup
    private let resolvers: NIOThreadPool
    private let running = Mutex(0)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - allowsLoopback: Accept addresses of this machine, for tests and for trying out.
    ///   - trustRoots: The trusted certificate authorities.
    public init(
        limits: Limits = Limits(), allowsLoopback: Bool = false, trustRoots: NIOSSLTrustRoots = .default
    ) throws {
        self.limits = limits
        self.allowsLoopback = allowsLoopback
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = trustRoots
        configuration.applicationProtocols = ["http/1.1"]
        tls = try NIOSSLContext(configuration: configuration)
        group = .singleton
        resolvers = NIOThreadPool(numberOfThreads: 4)
        resolvers.start()
    }

    deinit { resolvers.shutdownGracefully { _ in } }

    /// Returns the body at an address. Its status must be 200.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - limit: The maximum size of the body, in bytes.
    /// - Throws: ``FetchError``.
    public func get(_ url: FetchURL, upTo limit: Int) async throws -> [UInt8] {
        try await request(url, posting: nil, upTo: limit)
    }

    /// Posts a form, and returns the body of the answer. Its status must be 200.
    ///
    /// - Parameters: As for ``get(_:upTo:)``.
    /// - Throws: ``FetchError``.
    public func post(_ form: FetchForm, to url: FetchURL, upTo limit: Int) async throws -> [UInt8] {
        try await request(url, posting: form, upTo: limit)
    }

    private func request(_ url: FetchURL, posting form: FetchForm?, upTo limit: Int) async throws -> [UInt8] {
        let loop = group.next()
        let end = NIODeadline.now() + TimeAmount(limits.total)
        let addresses = try await resolve(url, on: loop)
        for address in addresses where address.isSpecial {
            guard allowsLoopback && address.isLoopback else { throw FetchError.specialAddress(address) }
        }
        var failure = FetchError.unknownHost
        for address in addresses.prefix(limits.addresses) {
            do {
                return try await fetch(url, posting: form, at: address, upTo: limit, on: loop, until: end)
            } catch FetchError.noConnection {
                failure = .noConnection
            }
        }
        throw failure
    }

    /// The addresses of a host. A look-up uses a place until it ends, even if the request gave up earlier.
    private func resolve(_ url: FetchURL, on loop: any EventLoop) async throws -> [IPAddress] {
        guard
            running.withLock({ running in
                guard running < limits.requests else { return false }
                running += 1
                return true
            })
        else { throw FetchError.busy }
        let found = loop.makePromise(of: [IPAddress].self)
        resolvers.submit { [self] state in
            let addresses = state == .active ? Self.addresses(of: url.host) : []
            running.withLock { $0 -= 1 }
            found.succeed(addresses)
        }
        let timer = loop.scheduleTask(in: TimeAmount(limits.step)) {
            found.fail(FetchError.timedOut("the name was not resolved"))
        }
        defer { timer.cancel() }
        let addresses = try await found.futureResult.get()
        guard !addresses.isEmpty else { throw FetchError.unknownHost }
        return addresses
    }

    /// Asks the system's resolver. Blocks.
    private static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr else { continue }
            if entry.ai_family == AF_INET {
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    addresses.append(IPAddress(bytes: withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }))
                }
            } else if entry.ai_family == AF_INET6 {
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    addresses.append(IPAddress(bytes: withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }))
                }
            }
        }
        return addresses
    }

    private func fetch(
        _ url: FetchURL, posting form: FetchForm?, at address: IPAddress, upTo limit: Int, on loop: any EventLoop,
        until end: NIODeadline
    ) async throws -> [UInt8] {
        let peer = try SocketAddress(ipAddress: address.description, port: url.port)
        let body = loop.makePromise(of: [UInt8].self)
        let tls = tls
        let timer = loop.scheduleTask(deadline: end) { body.fail(FetchError.timedOut("the answer did not end")) }
        defer { timer.cancel() }
        let connecting = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limits.step))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if url.isSecure {
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: url.host))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(BodyCollector(url: url, posting: form, limit: limit, body: body))
                }
            }
            .connect(to: peer)
        connecting.whenFailure { error in
            body.fail(error is NIOSSLError ? FetchError.handshakeFailed : FetchError.noConnection)
        }
        // However the request ends, the connection is closed.
        body.futureResult.whenComplete { _ in connecting.whenSuccess { $0.close(promise: nil) } }
        return try await withTaskCancellationHandler {
            try await body.futureResult.get()
        } onCancel: {
            body.fail(CancellationError())
        }
    }
}

/// A form to post. Its text must be encoded already.
public struct FetchForm: Sendable {
    let body: String
    let authorization: String?

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - body: The encoded fields, such as `a=1&b=2`.
    ///   - authorization: The field `Authorization`, or `nil`.
    public init(body: String, authorization: String? = nil) {
        self.body = body
        self.authorization = authorization
    }
}

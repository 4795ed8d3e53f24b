public import NIOCore

extension Edge {
    /// The settings of an edge.
    public struct Configuration: Sendable {
        /// The address of the listener for files: a host name or an IP address.
        public var host: String
        /// The port, or 0 for any free port.
        public var port: Int
        /// The address of `/livez`, `/readyz` and `/metrics`, or `nil` for none. It must not be reachable from outside.
        public var health: HealthAddress?
        /// The maximum number of connections. Further connections get the status 503 and are closed.
        public var maximumConnections: Int
        /// The proxies whose `X-Forwarded-Host` is trusted.
        public var trustedProxies: ProxyList
        /// The maximum number of connections in the system's queue that are not accepted yet.
        public var backlog: Int32
        /// The limits of requests.
        public var limits: Limits

        /// Creates a configuration with the limits of the serving contract.
        public init(
            host: String, port: Int, health: HealthAddress? = nil, maximumConnections: Int = 20_000,
            trustedProxies: ProxyList = .none, backlog: Int32 = 4096, limits: Limits = Limits()
        ) {
            self.host = host
            self.port = port
            self.health = health
            self.maximumConnections = maximumConnections
            self.trustedProxies = trustedProxies
            self.backlog = backlog
            self.limits = limits
        }
    }

    /// The address of the health listener.
    public struct HealthAddress: Sendable, Hashable {
        /// A host name or an IP address.
        public var host: String
        /// The port, or 0 for any free port.
        public var port: Int

        /// Creates an address.
        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// The time limits for the steps of a connection, and the size limit for a body. A client is disconnected after 30
    /// seconds at most, even if it is slow at every step.
    ///
    /// The limits for a request head and a URL are fixed: 16 KiB and 8 KiB.
    public struct Limits: Sendable {
        /// The time from opening the connection to the end of the first request head.
        public var headTimeout = TimeAmount.seconds(10)
        /// The time from the end of a request head to the end of its body.
        public var bodyTimeout = TimeAmount.seconds(10)
        /// The time from a response to the end of the next request head.
        public var idleTimeout = TimeAmount.seconds(30)
        /// The length of the periods for `leastTaken`.
        public var takingTime = TimeAmount.seconds(10)
        /// The minimum number of bytes that a client must read in each period while data is waiting for it.
        public var leastTaken = 10 * 1024
        /// The time in which a client must close the connection after the last response.
        public var lingeringTime = TimeAmount.seconds(2)
        /// The time that an idle connection stays open for one more request after the edge has started to shut down.
        public var quiescingTime = TimeAmount.milliseconds(250)
        /// The time limit for all remaining work after the edge has started to shut down.
        public var shutdownTime = TimeAmount.seconds(5)
        /// The maximum size of a body in bytes. Bodies are read and discarded. A longer body ends the connection.
        public var largestBody = 64 * 1024

        /// Creates the limits of the serving contract.
        public init() {}
    }
}

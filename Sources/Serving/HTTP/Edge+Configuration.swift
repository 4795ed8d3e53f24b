public import NIOCore

extension Edge {
    /// The settings of an edge.
    public struct Configuration: Sendable {
        /// The address of the listener for files: a host name or an IP address.
        public var host: String
        /// The port; 0 for any free port.
        public var port: Int
        /// The address of `/livez`, `/readyz` and `/metrics`; nil for none. It must not be reachable from outside.
        public var health: HealthAddress?
        /// The maximum number of connections. Further ones get a 503 and are closed.
        public var maximumConnections: Int
        /// The proxies whose `X-Forwarded-Host` is trusted.
        public var trustedProxies: ProxyList
        /// The maximum number of connections that wait to be accepted.
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
        /// The port; 0 for any free port.
        public var port: Int

        /// Creates an address.
        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// The maximum time of each step of a connection, and the maximum size of a body. A client that is slow at every
    /// step is disconnected after 30 seconds.
    ///
    /// The limits of a head and of a URL belong to the HTTP parser and are fixed: 16 KiB and 8 KiB.
    public struct Limits: Sendable {
        /// From the connection to the end of the first head.
        public var headTimeout = TimeAmount.seconds(10)
        /// From the end of a head to the end of its body.
        public var bodyTimeout = TimeAmount.seconds(10)
        /// From an answer to the end of the next head.
        public var idleTimeout = TimeAmount.seconds(30)
        /// The period for `leastTaken`.
        public var takingTime = TimeAmount.seconds(10)
        /// The minimum number of bytes that a client must read in each `takingTime` while an answer waits for it.
        public var leastTaken = 10 * 1024
        /// The time for a client to close after the last answer.
        public var lingeringTime = TimeAmount.seconds(2)
        /// The time for a request to arrive on an idle connection after the edge has begun to stop.
        public var quiescingTime = TimeAmount.milliseconds(250)
        /// The time for everything to finish after the edge has begun to stop.
        public var shutdownTime = TimeAmount.seconds(5)
        /// The maximum number of bytes of a body, which is read and discarded. A longer body ends the connection.
        public var largestBody = 64 * 1024

        /// Creates the limits of the serving contract.
        public init() {}
    }
}

public import NIOCore

extension Edge {
    /// Where and for whom an edge serves.
    public struct Configuration: Sendable {
        /// The address of the files' listener: a host name or an IP address.
        public var host: String
        /// Its port; 0 for any that is free.
        public var port: Int
        /// The address of `/livez`, `/readyz` and `/metrics`; nil for none. Never to be reached from outside.
        public var health: HealthAddress?
        /// Connections beyond this many are answered with a 503 and closed.
        public var maximumConnections: Int
        /// Whose `X-Forwarded-Host` counts.
        public var trustedProxies: ProxyList
        /// Connections that wait to be accepted.
        public var backlog: Int32
        /// What a request may be and take.
        public var limits: Limits

        /// A configuration with the limits of the serving contract.
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

    /// Where the health listener is.
    public struct HealthAddress: Sendable, Hashable {
        /// A host name or an IP address.
        public var host: String
        /// 0 for any that is free.
        public var port: Int

        /// An address.
        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// How long each step of a connection may take, and how much it may send. A client that goes slowly at every step is
    /// gone after 30 seconds.
    ///
    /// The size of a head and of a URL are limits of the protocol's reading and fixed: 16 KiB and 8 KiB.
    public struct Limits: Sendable {
        /// From the connection to the end of the first head.
        public var headTimeout = TimeAmount.seconds(10)
        /// From the end of a head to the end of its body.
        public var bodyTimeout = TimeAmount.seconds(10)
        /// From an answer to the end of the next head.
        public var idleTimeout = TimeAmount.seconds(30)
        /// In each of these, while an answer waits for the client to take it, …
        public var takingTime = TimeAmount.seconds(10)
        /// … so many bytes have to be taken.
        public var leastTaken = 10 * 1024
        /// For a client to close after the last answer.
        public var lingeringTime = TimeAmount.seconds(2)
        /// For a request to arrive on an idle connection after the edge has begun to stop.
        public var quiescingTime = TimeAmount.milliseconds(250)
        /// For everything to finish after the edge has begun to stop.
        public var shutdownTime = TimeAmount.seconds(5)
        /// Bytes of a body that are read and thrown away; a longer one ends the connection.
        public var largestBody = 64 * 1024

        /// The limits of the serving contract.
        public init() {}
    }
}

internal import Metrics

/// How far a follower has got.
public struct FollowerStatus: Sendable, Hashable {
    /// The activation of the manifest accepted last; nil before the first.
    public var activation: Int64?
    /// Hosts that are served.
    public var hosts = 0
    /// Hosts served on an older entry than the manifest's.
    public var held = 0
    /// Hosts that are published and cannot be served yet.
    public var unavailable = 0
    /// The first hundred of the held and unavailable hosts.
    public var heldHosts: [String] = []
    /// Times that the source has answered.
    public var contacts = 0
    /// What went wrong last, in words for whoever sees the consumer from afar; nil when all is well.
    public var trouble: String?

    func report() {
        if let activation { Gauge(label: "waymark_follower_activation").record(activation) }
        Gauge(label: "waymark_follower_hosts").record(hosts)
        Gauge(label: "waymark_follower_hosts_held").record(held)
        Gauge(label: "waymark_follower_hosts_unavailable").record(unavailable)
    }
}

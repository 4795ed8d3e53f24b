internal import Metrics

/// The progress of a follower.
public struct FollowerStatus: Sendable, Hashable {
    /// The activation of the last accepted manifest, or `nil` before the first.
    public var activation: Int64?
    /// The number of hosts that are being served.
    public var hosts = 0
    /// The number of hosts that are served with an older entry than the manifest's.
    public var held = 0
    /// The number of published hosts that cannot be served yet.
    public var unavailable = 0
    /// The first hundred hosts of those counted in `held` and `unavailable`.
    public var heldHosts: [String] = []
    /// The number of responses from the source.
    public var contacts = 0
    /// The last problem, or `nil`. The dashboard shows this text to members.
    public var trouble: String?

    func report() {
        if let activation { Gauge(label: "waymark_follower_activation").record(activation) }
        Gauge(label: "waymark_follower_hosts").record(hosts)
        Gauge(label: "waymark_follower_hosts_held").record(held)
        Gauge(label: "waymark_follower_hosts_unavailable").record(unavailable)
    }
}

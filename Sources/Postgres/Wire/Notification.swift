/// A notification sent with `notify`.
public struct Notification: Sendable, Hashable {
    /// The channel.
    public let channel: String
    /// The payload; empty when there is none.
    public let payload: String

    /// A notification.
    public init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}

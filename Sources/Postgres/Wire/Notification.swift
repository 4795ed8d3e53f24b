/// A notification sent with `notify`.
public struct Notification: Sendable, Hashable {
    /// The channel.
    public let channel: String
    /// The payload. It may be empty.
    public let payload: String

    /// Creates a notification.
    public init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}

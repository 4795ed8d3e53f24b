import Postgres

/// The request that a change belongs to, for the audit trail.
public struct RequestOrigin: Hashable, Sendable {
    /// The request that the current task handles, or `nil` if it handles none. Each transaction of ``Store`` that can
    /// change something puts it into its audit entries.
    @TaskLocal public static var current: RequestOrigin?

    /// The maximum length of ``reason`` in characters.
    public static let maximumReason = 500

    /// The `Request-Id`.
    public let requestID: String
    /// The client's address.
    public let address: String
    /// The reason that was given for the change, on one line, or `nil`.
    public var reason: String?

    /// Creates an origin.
    public init(requestID: String, address: String, reason: String? = nil) {
        self.requestID = requestID
        self.address = address
        self.reason = reason
    }

    /// The settings that become the columns of audit entries.
    var settings: [TransactionSetting] {
        [
            TransactionSetting("waymark.request", requestID), TransactionSetting("waymark.address", address),
            TransactionSetting("waymark.reason", reason ?? ""),
        ]
    }
}

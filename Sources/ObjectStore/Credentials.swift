/// The key pair that signs requests to a bucket. Its description contains no secrets.
public struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The public half, such as `AKIAIOSFODNN7EXAMPLE`.
    public let accessKeyID: String
    /// The secret half. It is never sent.
    public let secretAccessKey: String
    /// The session token of temporary credentials.
    public let sessionToken: String?

    /// Creates credentials.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// The name of the type, without any values.
    public var description: String { "Credentials" }
    /// Empty, so that `dump` does not show the secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

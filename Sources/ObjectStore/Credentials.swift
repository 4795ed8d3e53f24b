/// The key pair under which requests to a bucket are signed. Its description shows no secret.
public struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The public half, as `AKIAIOSFODNN7EXAMPLE`.
    public let accessKeyID: String
    /// The secret half. It is never sent.
    public let secretAccessKey: String
    /// What comes with temporary credentials.
    public let sessionToken: String?

    /// Credentials.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// Names the type alone.
    public var description: String { "Credentials" }
    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

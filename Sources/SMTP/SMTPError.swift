/// The reason why a mail was not accepted by the mail server.
public struct SMTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether the server refuses the mail for good, for example because the mailbox does not exist. Otherwise a later
    /// attempt can succeed.
    public let isPermanent: Bool
    /// The reason, in words. It contains no password.
    public let description: String

    init(isPermanent: Bool, _ description: String) {
        self.isPermanent = isPermanent
        self.description = description
    }
}

/// A mail server that accepts mails for delivery (RFC 6409), and the sender of the mails.
public struct SMTPServer: Hashable, Sendable {
    /// The use of TLS.
    public enum Security: Hashable, Sendable {
        /// TLS from the start (RFC 8314, section 3.3).
        case tls
        /// The command STARTTLS. A server that does not offer it is refused.
        case startTLS
        /// No TLS, for a server on this machine.
        case none
    }

    /// The name and the password of an account.
    public struct Account: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The password.
        public let password: String

        /// Creates an account.
        public init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// The host name or the IP address, the latter without brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// The use of TLS.
    public let security: Security
    /// The account, or `nil` for a server without accounts.
    public var account: Account?
    /// The address of the sender.
    public var sender: MailAddress
    /// The name of the sender.
    public var senderName: String
    /// The path of a PEM file with the certificates that are trusted instead of the system's, or `nil`.
    public var certificateFile: String?

    /// Reads a URL: `smtps://host` (port 465) for TLS from the start, or `smtp://host` (port 587) for STARTTLS. Either
    /// can name another port. Returns `nil` for any other text.
    ///
    /// - Parameter isPlain: True to use no TLS. Only accepted with `smtp://` and a host of this machine: `localhost`,
    ///   `127.0.0.1` or `[::1]`.
    public init?(_ url: String, isPlain: Bool = false, sender: MailAddress, senderName: String) {
        guard let colon = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<colon.lowerBound].lowercased()
        guard scheme == "smtps" || scheme == "smtp" else { return nil }
        let authority = url[colon.upperBound...]
        let match = authority.wholeMatch(of: /(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?\/?/)
        guard let match, let host = match.1 ?? match.2 else { return nil }
        let port = match.3.map { Int($0) } ?? (scheme == "smtps" ? 465 : 587)
        guard let port, (1...65_535).contains(port) else { return nil }
        guard !isPlain || (scheme == "smtp" && ["localhost", "127.0.0.1", "::1"].contains(host)) else { return nil }
        self.host = String(host)
        self.port = port
        security = isPlain ? .none : scheme == "smtps" ? .tls : .startTLS
        self.sender = sender
        self.senderName = senderName
    }
}

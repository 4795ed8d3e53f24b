import SMTP

/// The settings of the mail server. `docs/operations/mail.md` explains them.
struct MailSettings: Sendable {
    /// The server, without an account.
    private let address: SMTPServer
    /// `WAYMARK_MAIL_USER`: the name of the account.
    private let user: String?
    /// `WAYMARK_MAIL_PASSWORD_FILE`: the file with the password of the account, in its first line.
    private let passwordFile: String?

    /// Checks the settings. `nil` if `WAYMARK_MAIL_SERVER` is not set; then no other setting of mail can be set.
    ///
    /// - Parameters:
    ///   - text: Returns the value of a setting of mail.
    ///   - hasPublicURL: Whether `WAYMARK_PUBLIC_URL` is set. Mails contain links.
    init?(hasPublicURL: Bool, _ text: (_ key: String) throws -> String?) throws {
        let (url, from, plain) = (try text("server"), try text("from"), try text("plaintext") ?? "false")
        let (senderName, certificates) = (try text("sender.name"), try text("ca.file"))
        user = try text("user")
        passwordFile = try text("password.file")
        guard let isPlain = Bool(plain) else { throw Self.invalid("PLAINTEXT", "must be true or false: \(plain)") }
        guard let url else {
            let others = [("FROM", from), ("USER", user), ("PASSWORD_FILE", passwordFile), ("CA_FILE", certificates)]
            if let other = others.first(where: { $0.1 != nil }) {
                throw Self.invalid(other.0, "is set, but WAYMARK_MAIL_SERVER is not; set both, or neither")
            }
            return nil
        }
        guard hasPublicURL else {
            throw Self.invalid("SERVER", "needs WAYMARK_PUBLIC_URL, because mails contain links to the dashboard")
        }
        guard let from else {
            throw Self.invalid("FROM", "is not set; set it to the address that mails come from")
        }
        guard let sender = MailAddress(from) else {
            throw Self.invalid("FROM", "must be an e-mail address, such as waymark@example.com: \(from)")
        }
        guard
            var server = SMTPServer(url, isPlain: isPlain, sender: sender, senderName: senderName ?? "Waymark")
        else {
            throw Self.invalid(
                "SERVER",
                isPlain
                    ? "must be smtp://localhost:PORT, because WAYMARK_MAIL_PLAINTEXT is only for this machine: \(url)"
                    : "must be smtps://HOST or smtp://HOST, with :PORT if necessary: \(url)")
        }
        guard (user == nil) == (passwordFile == nil) else {
            throw Self.invalid("USER", "and WAYMARK_MAIL_PASSWORD_FILE must both be set, or neither")
        }
        server.certificateFile = certificates
        address = server
    }

    /// The server. Reads the password.
    func server() throws -> SMTPServer {
        var server = address
        if let user, let passwordFile {
            guard let password = try SecretFile(path: passwordFile).firstLine() else {
                throw Self.invalid("PASSWORD_FILE", "names a file that does not exist or is empty: \(passwordFile)")
            }
            server.account = SMTPServer.Account(name: user, password: password)
        }
        return server
    }

    private static func invalid(_ name: String, _ reason: String) -> Settings.Invalid {
        Settings.Invalid(name: "WAYMARK_MAIL_\(name)", reason: reason)
    }
}

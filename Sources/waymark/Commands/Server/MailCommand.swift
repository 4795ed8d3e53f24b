import ArgumentParser
import FoundationEssentials
import SMTP
import StrictJSON

/// `waymark mail`.
struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Checks the settings of the mail server.", subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a test mail with the settings of this environment (WAYMARK_MAIL_…).",
            discussion:
                "Prints the mail server's answer if it refuses the mail. docs/operations/mail.md explains the settings."
        )

        @Argument(help: "The e-mail address to send it to.") var email: String
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            guard let recipient = MailAddress(email) else {
                throw ValidationError("EMAIL must be an e-mail address, such as ada@example.com.")
            }
            let settings = try Settings.load()
            guard let server = try settings.mail?.server() else {
                throw Settings.Invalid(name: "WAYMARK_MAIL_SERVER", reason: "is not set; it names the mail server")
            }
            let message = MailMessage(
                to: recipient, subject: "Waymark can send mails",
                text: "This is a test mail of Waymark at \(settings.publicURL). The settings are right.\n",
                id: UUID().uuidString.lowercased())
            do {
                try await SMTPClient(server).send(message)
            } catch let error as SMTPError {
                throw Failure(server: server, error: error)
            }
            if json {
                try Console.say(["recipient": .string(recipient.description), "server": .string(server.name)])
            } else {
                try Console.say("\(server.name) has accepted a mail to \(recipient).")
            }
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let server: SMTPServer
        let error: SMTPError
        var description: String { "\(server.name) has not accepted the mail: \(error)" }
    }
}

extension SMTPServer {
    fileprivate var name: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

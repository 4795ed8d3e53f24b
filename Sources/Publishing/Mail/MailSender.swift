public import Logging
import Metrics
public import SMTP
public import ServiceLifecycle
public import Storage
import Timing

/// Sends the queued mails. Any number of senders can run, on any machines.
///
/// A mail is sent at least once: if a sender is lost after the server has accepted a mail, another one sends it again,
/// with the same message ID. A mail that the server refuses for good is given up. Other failures are tried again, less
/// often each time, for ``maximumAge``.
public struct MailSender: Service {
    /// The interval between checks for mails.
    static let interval = Duration.seconds(1)
    /// The interval between deletions of old rows.
    static let cleaningInterval = Duration.seconds(600)
    /// A mail is given up after this number of seconds: a day. Each attempt has a new link.
    static let maximumAge = 86_400
    /// The lease of a sender on a mail, in seconds.
    static let leaseSeconds = SMTPClient.maximumSeconds + 30
    /// The pause between attempts: about half a minute, 2, 8 and 32 minutes, and then an hour.
    static let backoff = Backoff(first: .seconds(30), longest: .seconds(3_600), factor: 4, jitter: 0.8...1.2)

    private let store: Store
    private let client: SMTPClient?
    private let wording: MailWording
    private let logger: Logger

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - server: The mail server. If `nil`, queued mails are discarded.
    ///   - dashboard: The address of the dashboard, such as `https://waymark.example.com`, for links.
    public init(store: Store, server: SMTPServer?, dashboard: String, logger: Logger) {
        self.store = store
        client = server.map(SMTPClient.init)
        wording = MailWording(dashboard: dashboard)
        self.logger = logger
    }

    /// Runs until the service shuts down. Errors do not end it.
    public func run() async throws {
        await Sweep(failure: "Mails cannot be sent; this will be tried again.", logger: logger)
            .run(ContinuousClock.Instant?.none) { cleanedAt in
                try await sendAll()
                if cleanedAt.map({ $0.duration(to: .now) > Self.cleaningInterval }) ?? true {
                    try await store.write { try $0.forgetMails() }
                    cleanedAt = .now
                }
                return Self.interval
            }
    }

    /// Sends the mails that are due, a few at the same time.
    private func sendAll() async throws {
        guard let client else { return try await store.write { try $0.discardMails() } }
        try await withThrowingTaskGroup { group in
            for _ in 0..<SMTPClient.concurrency {
                group.addTask {
                    var prefersAccounts = true
                    while try await sendNext(by: client, prefersAccounts) { prefersAccounts.toggle() }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a mail. Returns false if none is due.
    private func sendNext(by client: SMTPClient, _ prefersAccounts: Bool) async throws -> Bool {
        let claimed = try await store.write {
            try $0.claimMail(leaseSeconds: Self.leaseSeconds, prefersAccounts: prefersAccounts)
        }
        guard let mail = claimed else { return false }
        guard let content = mail.content else { return true }
        guard let recipient = MailAddress(mail.recipient) else {
            try await giveUp(mail, "The address has characters that mail servers do not accept.")
            return true
        }
        do {
            try await client.send(wording.message(content, to: recipient, id: "\(mail.id)".lowercased()))
            count("sent")
            try await store.write { try $0.endMail(mail) }
        } catch let error as SMTPError where error.isPermanent {
            try await giveUp(mail, "\(error)")
        } catch let error as SMTPError {
            try await postpone(mail, "\(error)")
        }
        return true
    }

    private func giveUp(_ mail: ClaimedMail, _ cause: String) async throws {
        note("A mail is given up.", mail, cause)
        count("failed")
        try await store.write { try $0.giveUpMail(mail, cause: cause) }
    }

    private func postpone(_ mail: ClaimedMail, _ cause: String) async throws {
        let pause = Int(Self.backoff.pause(afterFailures: mail.attempts) / .seconds(1))
        let isPostponed = try await store.write {
            try $0.postponeMail(mail, seconds: pause, maximumAge: Self.maximumAge, cause: cause)
        }
        note(isPostponed ? "A mail is tried again later." : "A mail is given up.", mail, cause)
        count(isPostponed ? "postponed" : "failed")
    }

    // Readers of the log do not need the recipient's address.
    private func note(_ message: Logger.Message, _ mail: ClaimedMail, _ cause: String) {
        logger.warning(
            message, metadata: ["mail": "\(mail.id)", "attempt": "\(mail.attempts)", "error": "\(cause)"])
    }

    private func count(_ outcome: String) {
        Counter(label: "waymark_mails_total", dimensions: [("outcome", outcome)]).increment()
    }
}

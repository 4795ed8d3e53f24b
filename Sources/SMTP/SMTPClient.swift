import CLibCurl
import Glibc
import NIOPosix

/// Sends mails with libcurl, a few at a time.
public final class SMTPClient: Sendable {
    /// The number of mails that are sent at the same time.
    public static let concurrency = 4
    /// The time limit of a connection, in seconds.
    static let connectSeconds = 10
    /// The time limit of a mail, including the connection, in seconds.
    public static let maximumSeconds = 60

    /// The server.
    public let server: SMTPServer
    // libcurl blocks, so it has threads of its own.
    private let threads = NIOThreadPool(numberOfThreads: SMTPClient.concurrency)

    /// Must be called once before any other function of libcurl, and not at the same time.
    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Creates a client.
    public init(_ server: SMTPServer) {
        self.server = server
        threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    /// Sends a mail. Returns when the server has accepted it. The server can still fail to deliver it later.
    ///
    /// - Throws: ``SMTPError``, or `CancellationError` if the client is shut down.
    public func send(_ message: MailMessage) async throws {
        let server = server
        try await threads.runIfActive { try Self.send(message, by: server) }
    }

    private static func send(_ message: MailMessage, by server: SMTPServer) throws(SMTPError) {
        guard isReady, let handle = curl_easy_init() else {
            throw SMTPError(isPermanent: false, "libcurl cannot be started")
        }
        defer { curl_easy_cleanup(handle) }
        let recipients = curl_slist_append(nil, "<\(message.recipient)>")
        defer { curl_slist_free_all(recipients) }
        let unsent = Unsent(message.bytes(from: server.sender, named: server.senderName, at: time(nil)))
        let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        defer { reason.deallocate() }
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        waymark_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason)
        configure(handle, for: server)
        waymark_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(server.sender)>")
        waymark_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
        waymark_curl_set_number(handle, CURLOPT_UPLOAD, 1)
        waymark_curl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(unsent).toOpaque())
        waymark_curl_set_callback(handle, CURLOPT_READFUNCTION) { buffer, size, count, unsent in
            guard let buffer, let unsent else { return 0 }
            return Unmanaged<Unsent>.fromOpaque(unsent).takeUnretainedValue().read(into: buffer, size * count)
        }

        let result = withExtendedLifetime(unsent) { curl_easy_perform(handle) }
        guard result != CURLE_OK else { return }
        let words = String(cString: reason)
        throw SMTPError(
            isPermanent: isPermanent(result, reply: waymark_curl_response_code(handle)),
            words.isEmpty ? String(cString: curl_easy_strerror(result)) : words)
    }

    private static func configure(_ handle: UnsafeMutableRawPointer, for server: SMTPServer) {
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        let scheme = server.security == .tls ? "smtps" : "smtp"
        // The path is the name that the client gives in EHLO (RFC 5321, section 4.1.1.1).
        waymark_curl_set_text(handle, CURLOPT_URL, "\(scheme)://\(host):\(server.port)/\(clientName)")
        waymark_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // Otherwise variables such as `ALL_PROXY` would choose a proxy.
        waymark_curl_set_text(handle, CURLOPT_PROXY, "")
        // libcurl must not use signals, because other threads run.
        waymark_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        waymark_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, connectSeconds)
        waymark_curl_set_number(handle, CURLOPT_TIMEOUT, maximumSeconds)
        if server.security != .none {
            // With `CURLUSESSL_TRY`, an attacker could remove the server's offer of STARTTLS.
            waymark_curl_set_number(handle, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
            waymark_curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 1)
            waymark_curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 2)
            waymark_curl_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        }
        if let file = server.certificateFile { waymark_curl_set_text(handle, CURLOPT_CAINFO, file) }
        if let account = server.account {
            waymark_curl_set_text(handle, CURLOPT_USERNAME, account.name)
            waymark_curl_set_text(handle, CURLOPT_PASSWORD, account.password)
        }
        // Without a function, libcurl would write replies to standard output.
        waymark_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    }

    /// The host name, without characters that are not allowed in EHLO.
    private static let clientName: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, 255)
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isUsable = !text.isEmpty && text.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil
        return isUsable ? text : "localhost"
    }()

    /// Replies from 500 are permanent (RFC 5321, section 4.2.1). But a refused account, or one that is missing (530), is
    /// a wrong setting, and a mail must not be lost because of it.
    private static func isPermanent(_ result: CURLcode, reply: Int) -> Bool {
        guard result == CURLE_SEND_ERROR || result == CURLE_WEIRD_SERVER_REPLY else { return false }
        return (500...599).contains(reply) && reply != 530
    }
}

/// The rest of a mail that libcurl has not read yet.
private final class Unsent {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Copies up to `limit` bytes, and returns their number.
    func read(into buffer: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        let next = rest.prefix(limit)
        next.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: buffer, count: limit).copyMemory(from: $0) }
        rest = rest.dropFirst(next.count)
        return next.count
    }
}

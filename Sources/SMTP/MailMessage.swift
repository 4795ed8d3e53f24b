import FoundationEssentials
import Glibc

/// A mail with plain text.
public struct MailMessage: Hashable, Sendable {
    /// The recipient.
    public let recipient: MailAddress
    /// The subject.
    public let subject: String
    /// The text, with `\n` after each line.
    public let text: String
    /// A text that is unique to the mail: letters, digits and hyphens. Several attempts to send a mail have the same ID,
    /// so that a mailbox can detect a duplicate.
    public let id: String

    /// Creates a mail.
    public init(to recipient: MailAddress, subject: String, text: String, id: String) {
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.id = id
    }

    /// The mail as it is sent (RFC 5322), with `\r\n` after each line.
    ///
    /// - Parameters:
    ///   - sender: The address of the sender.
    ///   - name: The name of the sender.
    ///   - seconds: The date, in seconds since 1970.
    func bytes(from sender: MailAddress, named name: String, at seconds: Int) -> [UInt8] {
        let domain = sender.description.split(separator: "@").last ?? "localhost"
        let header = [
            "Date: \(Self.date(seconds))",
            "From: \(Self.phrase(name)) <\(sender)>",
            "To: <\(recipient)>",
            "Subject: \(Self.isPlain(subject) ? subject : Self.encodedWords(subject))",
            "Message-ID: <\(id)@\(domain)>",
            // RFC 3834: answering machines do not answer.
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ]
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.joined(separator: "\r\n")
        // A line has at most 998 characters (RFC 5322, section 2.1.1).
        let isShort = lines.allSatisfy { $0.utf8.count <= 998 && $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } }
        let content =
            isShort
            ? ["Content-Type: text/plain; charset=us-ascii", "Content-Transfer-Encoding: 7bit", "", body]
            : [
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
                Data(body.utf8).base64EncodedString(options: .lineLength76Characters), "",
            ]
        return Array((header + content).joined(separator: "\r\n").utf8)
    }

    /// A date of RFC 5322, section 3.3, in UTC.
    static func date(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
            + "\(clock.joined(separator: ":")) +0000"
    }

    /// The display name before an address.
    private static func phrase(_ name: String) -> String {
        guard isPlain(name) else { return encodedWords(name) + "\r\n" }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Whether a text can be in a header as it is: short printable ASCII, which cannot be taken for encoded words.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 66 && text.utf8.allSatisfy { (0x20...0x7e).contains($0) } && !text.contains("=?")
    }

    /// Encodes a text as encoded words (RFC 2047) of at most 75 characters, on a line each.
    ///
    /// Control characters become spaces. The encoding has only letters, digits, `+`, `/` and `=`, so a text cannot end
    /// the header field.
    static func encodedWords(_ text: String) -> String {
        // 33 bytes are 44 characters of base64, and the rest of an encoded word has 12. So the first line has room for
        // the field's name.
        var (words, bytes, limit) = ([String](), [UInt8](), 33)
        for scalar in text.unicodeScalars {
            let encoded = Array(String(scalar.properties.generalCategory == .control ? " " : scalar).utf8)
            if bytes.count + encoded.count > limit {
                words.append(Data(bytes).base64EncodedString())
                (bytes, limit) = ([], 45)
            }
            bytes += encoded
        }
        return (words + [Data(bytes).base64EncodedString()]).map { "=?utf-8?B?\($0)?=" }.joined(separator: "\r\n ")
    }
}

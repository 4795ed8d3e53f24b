import Testing

@testable import SMTP

@Suite("The header of a mail")
struct MailMessageTests {
    private func lines(subject: String = "Hello", name: String = "Waymark", text: String = "") throws -> [String] {
        let recipient = try #require(MailAddress("ada@example.com"))
        let sender = try #require(MailAddress("waymark@example.org"))
        let bytes = MailMessage(to: recipient, subject: subject, text: text, id: "abc-1")
            .bytes(from: sender, named: name, at: 1_795_822_245)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    @Test("A mail names its date, sender, recipient, subject and ID, and that a program sent it")
    func fields() throws {
        #expect(
            try lines(text: "One\nTwo\r\n.\n") == [
                "Date: Fri, 27 Nov 2026 23:30:45 +0000", "From: \"Waymark\" <waymark@example.org>",
                "To: <ada@example.com>", "Subject: Hello", "Message-ID: <abc-1@example.org>",
                "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=us-ascii",
                "Content-Transfer-Encoding: 7bit", "", "One", "Two", ".", "",
            ])
    }

    @Test(
        "Other text than short lines of ASCII is encoded",
        arguments: ["Grüße", String(repeating: "a", count: 999), "a\0b", "a\rb", "tab\there"])
    func encodedText(text: String) throws {
        let lines = try lines(text: text + "\n")
        #expect(lines.contains("Content-Transfer-Encoding: base64"))
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("A quotation mark in the sender's name is escaped")
    func quotedName() throws {
        #expect(try lines(name: #"A "B" \C"#)[1] == #"From: "A \"B\" \\C" <waymark@example.org>"#)
    }

    @Test(
        "A subject cannot add a header field",
        arguments: ["Hello\r\nBcc: eve@example.com", "a\nb", "a\rb", "a\u{85}b", "a\u{2028}b", "\0"])
    func injection(subject: String) throws {
        let field = try #require(lines(subject: subject).first { $0.hasPrefix("Subject: ") })
        #expect(!field.contains("eve"))
        #expect(field.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        #expect(field.hasPrefix("Subject: =?utf-8?B?") && field.hasSuffix("?="))
    }

    @Test("A subject that looks encoded is encoded, so that it is shown as it is")
    func encodedLook() throws {
        #expect(try lines(subject: "=?utf-8?Q?x?=")[3].hasPrefix("Subject: =?utf-8?B?"))
    }

    @Test("A long subject is folded into encoded words of at most 75 characters, without a divided character")
    func folding() throws {
        let subject = String(repeating: "Prüfung für Żółć 👩‍👩‍👧 ", count: 8)
        let words = MailMessage.encodedWords(subject).split(separator: "\r\n ").map(String.init)
        #expect(words.count > 4)
        var text = ""
        for word in words {
            #expect(word.count <= 75 && word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
            let bytes = try #require(decoded(String(word.dropFirst(10).dropLast(2))))
            text += try #require(String(validating: bytes, as: UTF8.self))
        }
        #expect(text == subject)
    }

    private func decoded(_ base64: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let values = base64.filter { $0 != "=" }.compactMap { alphabet.firstIndex(of: $0) }
        var (bits, count, bytes) = (0, 0, [UInt8]())
        for value in values {
            (bits, count) = ((bits << 6 | value) & 0xffff, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}

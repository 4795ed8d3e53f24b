import FoundationEssentials
import Hex
import StrictJSON

extension JSONValue {
    /// A time as RFC 3339 in UTC, to the millisecond.
    static func time(_ date: Date) -> JSONValue {
        .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    static func time(_ date: Date?) -> JSONValue { date.map(time) ?? .null }

    static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    static func number(_ number: Int64?) -> JSONValue { number.map { .int(Int($0)) } ?? .null }
}

extension JSONShape where Value == String {
    /// A display name: 1 to 200 characters.
    static var name: JSONShape<String> { .words(max: 200) }

    /// A label of domains: 1 to 63 characters.
    static var label: JSONShape<String> { .words(max: 63) }

    /// The reason for a change: 1 to 1,000 characters.
    static var reason: JSONShape<String> { .words(max: 1_000) }

    /// A comment: at most 1,000 characters, line breaks allowed.
    static var remark: JSONShape<String> { .plainText(max: 1_000, besides: ["\n", "\r"]) }

    /// A single line with at least one visible character. White space at both ends is removed.
    static func words(max: Int) -> JSONShape<String> {
        .plainText(min: 1, max: max).then { (text: String) throws(NoWords) in
            let words = text.trimmingPrefix(while: \.isWhitespace)
            guard let last = words.lastIndex(where: { !$0.isWhitespace }) else { throw NoWords() }
            return String(words[...last])
        }
    }
}

extension JSONShape where Value == [UInt8] {
    /// Bytes in base64url without padding, at most `max` of them.
    static func base64URL(max: Int) -> JSONShape {
        JSONShape<String>.text(min: 1, max: (max * 4 + 2) / 3).then { (text: String) throws(NoBase64URL) in
            guard let bytes = Base64URL.decoded(text) else { throw NoBase64URL() }
            return bytes
        }
    }
}

private struct NoBase64URL: JSONFaultReason {
    var code: String { "malformed" }
    var detail: String { "must be base64url without padding" }
}

private struct NoWords: JSONFaultReason {
    var code: String { "too_short" }
    var detail: String { "must not be empty" }
}

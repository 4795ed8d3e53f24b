import FoundationEssentials
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
    /// A name for people: 1 to 200 characters.
    static var name: JSONShape<String> { .text(min: 1, max: 200) }

    /// A remark: at most 1,000 characters.
    static var remark: JSONShape<String> { .text(min: 0, max: 1_000) }
}

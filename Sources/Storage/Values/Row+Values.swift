import AASA
import FoundationEssentials
import Postgres
import StrictJSON

/// A stored value that its Swift type rejects. Waymark never writes such a value, so something else has changed the
/// row.
struct CorruptRow: Error, Hashable, CustomStringConvertible {
    let column: String
    var description: String { "column \(column) holds a value that Waymark does not write" }
}

extension Row {
    func value<Value>(_ column: String, _ make: (String) throws -> Value?) throws -> Value {
        guard let value = try? make(decode(column, as: String.self)) else { throw CorruptRow(column: column) }
        return value
    }

    func optional<Value>(_ column: String, _ make: (String) throws -> Value?) throws -> Value? {
        guard let text = try decode(column, as: String?.self) else { return nil }
        guard let value = try? make(text) else { throw CorruptRow(column: column) }
        return value
    }

    func host(_ column: String) throws -> Host { try value(column) { try Host($0) } }

    func id<Subject>(_ column: String) throws -> ID<Subject> { ID(try decode(column, as: UUID.self)) }

    func optionalID<Subject>(_ column: String) throws -> ID<Subject>? {
        try decode(column, as: UUID?.self).map { ID($0) }
    }

    func json(_ column: String) throws -> JSONValue {
        try value(column) { try JSONValue(parsing: Array($0.utf8), limits: .stored) }
    }

    func optionalJSON(_ column: String) throws -> JSONValue? {
        guard try decode(column, as: String?.self) != nil else { return Optional.none }
        return try json(column)
    }

    func author(kind: String, name: String) throws -> Author {
        Author(kind: try value(kind, Author.Kind.init(rawValue:)), name: try decode(name, as: String.self))
    }

    func optionalAuthor(kind: String, name: String) throws -> Author? {
        guard try decode(kind, as: String?.self) != nil else { return nil }
        return try author(kind: kind, name: name)
    }
}

extension JSONLimits {
    /// The limits for stored JSON. They are larger than those for input, because values can grow after they are stored.
    fileprivate static let stored = JSONLimits(bytes: 64 << 20, depth: 64, values: .max, marksInRow: .max)
}

extension JSONValue {
    /// The text for a `json` column.
    var text: String { String(decoding: bytes(), as: UTF8.self) }
}

/// Escapes the special characters of `like`, so that a search finds the literal text.
func containing(_ text: String) -> String {
    // Works on scalars, like PostgreSQL. In Swift, a percent sign with a combining accent is a single `Character`; in
    // PostgreSQL, the percent sign is a wildcard.
    var pattern = String.UnicodeScalarView("%".unicodeScalars)
    for scalar in text.unicodeScalars {
        if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
        pattern.append(scalar)
    }
    return String(pattern) + "%"
}

/// A JSON Pointer (RFC 6901): the path from a document's root to a value, such as `/applinks/details/0/appIDs`.
public struct JSONPointer: Sendable, CustomStringConvertible {
    /// The steps, unescaped: the names of members, or the indices of elements in decimal.
    public private(set) var tokens: [String]

    /// Creates a pointer to the root.
    public init() { tokens = [] }

    /// Creates a pointer from unescaped steps.
    public init(tokens: [String]) { self.tokens = tokens }

    /// Reads a pointer: empty, or `/` before each step, with `~0` for `~` and `~1` for `/`. Returns `nil` if the text
    /// is not valid.
    public init?(_ text: String) {
        var tokens: [[UInt8]] = []
        var escaped = false
        for byte in text.utf8 {
            if escaped {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                tokens[tokens.count - 1].append(UInt8(ascii: byte == UInt8(ascii: "0") ? "~" : "/"))
                escaped = false
            } else if byte == UInt8(ascii: "/") {
                tokens.append([])
            } else if tokens.isEmpty {
                return nil
            } else if byte == UInt8(ascii: "~") {
                escaped = true
            } else {
                tokens[tokens.count - 1].append(byte)
            }
        }
        if escaped { return nil }
        self.tokens = tokens.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The pointer to a member of this value.
    public func appending(_ name: String) -> JSONPointer { JSONPointer(tokens: tokens + [name]) }

    /// The pointer to an element of this value.
    public func appending(_ index: Int) -> JSONPointer { JSONPointer(tokens: tokens + [String(index)]) }

    /// The pointer to a value inside this value.
    public func appending(_ rest: JSONPointer) -> JSONPointer { JSONPointer(tokens: tokens + rest.tokens) }

    /// The pointer without its last step, or `nil` for the root.
    public var parent: JSONPointer? { tokens.isEmpty ? nil : JSONPointer(tokens: tokens.dropLast()) }

    /// Whether `other` is at or below this pointer.
    public func contains(_ other: JSONPointer) -> Bool {
        tokens.count <= other.tokens.count
            && zip(tokens, other.tokens).allSatisfy { $0.hasSameBytes(as: $1) }
    }

    /// The pointer as text (RFC 6901).
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
                case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The array index of a step. `nil` unless the step is a decimal number without leading zeros (RFC 6901, section
    /// 4).
    static func index(_ token: String) -> Int? {
        guard token.utf8.allSatisfy(JSONNumberGrammar.isDigit), token == "0" || token.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int(token)
    }
}

extension JSONPointer: Hashable {
    /// Whether both are equal, byte for byte.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.count == right.tokens.count && left.contains(right)
    }

    /// Hashes the values that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.count)
        for token in tokens { hasher.combine(bytesOf: token) }
    }
}

import Hex

/// PostgreSQL's text form of a one-dimensional array: `{1,2}`, `{"a b","c\"d",NULL}`
/// (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
struct ArrayLiteral {
    private var body = ""
    private var isEmpty = true

    var text: String { "{" + body + "}" }

    /// Adds an element in quotation marks, so only quotation marks and backslashes need escaping.
    mutating func append(_ element: PostgresEncoding) throws(PostgresError) {
        if !isEmpty { body += "," }
        isEmpty = false
        switch element {
        case .null: body += "NULL"
        case .binary(let bytes): body += "\"\\\\x" + Hexadecimal.encode(bytes) + "\""
        case .text(let text):
            body += "\""
            for scalar in text.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { body.unicodeScalars.append("\\") }
                body.unicodeScalars.append(scalar)
            }
            body += "\""
        }
    }

    /// The elements. Returns `nil` if an element is null or invalid, or if the array has several dimensions.
    static func elements<Element: PostgresDecodable>(of bytes: UnsafeRawBufferPointer) -> [Element]? {
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
        var elements: [Element] = []
        var element: [UInt8] = []
        var isQuoted = false
        var wasQuoted = false
        func finish() -> Bool {
            let isNull = !wasQuoted && element == Array("NULL".utf8)
            guard let value = isNull ? Element.valueForNull : element.withUnsafeBytes(Element.init(postgresText:))
            else { return false }
            elements.append(value)
            element.removeAll(keepingCapacity: true)
            wasQuoted = false
            return true
        }
        var content = bytes.dropFirst().dropLast().makeIterator()
        guard bytes.count > 2 else { return [] }
        while let byte = content.next() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard isQuoted, let escaped = content.next() else { return nil }
                element.append(escaped)
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                wasQuoted = true
            case UInt8(ascii: ",") where !isQuoted:
                guard finish() else { return nil }
            case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "}") where !isQuoted:
                return nil
            default: element.append(byte)
            }
        }
        return !isQuoted && finish() ? elements : nil
    }
}

/// A recursive-descent parser over UTF-8 bytes, with limited depth. Methods are named after the rules of RFC 8259.
struct JSONParser {
    struct Failure: Error {
        let code: JSONError.Code
        let message: String
        let offset: Int
    }

    struct Repetition {
        let tokens: [String]
        let offset: Int
    }

    let bytes: [UInt8]
    let limits: JSONLimits
    let options: JSONOptions
    /// Whether ``nodes`` are recorded.
    let keepsNodes: Bool

    /// The maximum number of repeated names to record. A deep name takes more memory, because the path to it is stored.
    private static let maximumDuplicates = 10_000

    private(set) var nodes: [JSONNode] = []
    private(set) var duplicates: [Repetition] = []

    var index = 0
    private var depth = 0
    /// The number of values, including those of repeated members.
    private var count = 0
    /// The current path. Kept only if repeated names are reported.
    private var path: [String] = []

    init(bytes: [UInt8], limits: JSONLimits, options: JSONOptions, keepsNodes: Bool) {
        self.bytes = bytes
        self.limits = limits
        self.options = options
        self.keepsNodes = keepsNodes
    }

    /// `JSON-text = ws value ws`
    mutating func parseText() throws(Failure) -> JSONValue {
        if bytes.count > limits.bytes {
            throw failure(.tooLarge, "the text has \(bytes.count) bytes; at most \(limits.bytes) are allowed", at: 0)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            guard options.contains(.byteOrderMark) else {
                throw failure(.byteOrderMark, "the text begins with a byte order mark, which is not allowed", at: 0)
            }
            index = 3
        }
        if let offset = bytes.withUnsafeBufferPointer({ UTF8Check.firstInvalidOffset(in: $0) }) {
            throw failure(.notUTF8, "these bytes are not valid UTF-8", at: offset)
        }
        skipWhitespace()
        if index == bytes.count {
            throw failure(.empty, "the text is empty", at: index)
        }
        let value = try parseValue(keyOffset: -1)
        skipWhitespace()
        if index < bytes.count {
            throw failure(.trailingContent, "expected the end of the text, found \(found())", at: index)
        }
        return value
    }

    private mutating func parseValue(keyOffset: Int) throws(Failure) -> JSONValue {
        let node = nodes.count
        count += 1
        if count > limits.values {
            throw failure(
                .tooManyValues,
                "the text has more than \(limits.values) values, including nested ones", at: index)
        }
        if keepsNodes { nodes.append(JSONNode(keyOffset: keyOffset, offset: index, end: 0)) }
        let value: JSONValue
        // 0 means the end of the text. It does not begin a value either.
        switch peek() ?? 0 {
        case UInt8(ascii: "{"): value = .object(try parseObject())
        case UInt8(ascii: "["): value = .array(try parseArray())
        case UInt8(ascii: "\""): value = .string(try parseString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try parseNumber())
        case UInt8(ascii: "t"): value = try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): value = try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): value = try parseLiteral("null", .null)
        default: throw unexpected("a value")
        }
        if keepsNodes { nodes[node].end = nodes.count }
        return value
    }

    /// `object = begin-object [ member *( value-separator member ) ] end-object`
    private mutating func parseObject() throws(Failure) -> JSONObject {
        try enter()
        var object = JSONObject()
        skipWhitespace()
        if peek() != UInt8(ascii: "}") {
            while true {
                try parseMember(into: &object)
                skipWhitespace()
                guard peek() == UInt8(ascii: ",") else { break }
                index += 1
                skipWhitespace()
            }
        }
        guard peek() == UInt8(ascii: "}") else { throw unexpected("a comma or } after a member") }
        leave()
        return object
    }

    /// `member = string name-separator value`
    private mutating func parseMember(into object: inout JSONObject) throws(Failure) {
        guard peek() == UInt8(ascii: "\"") else { throw unexpected("a member's name in quotation marks") }
        let keyOffset = index
        let name = try parseString()
        skipWhitespace()
        guard peek() == UInt8(ascii: ":") else { throw unexpected("a colon after the name \"\(name)\"") }
        index += 1
        skipWhitespace()
        let firstNode = nodes.count
        if options.contains(.duplicateKeys) { path.append(name) }
        defer { if options.contains(.duplicateKeys) { path.removeLast() } }
        let value = try parseValue(keyOffset: keyOffset)
        if object.insert(name, value) { return }
        guard options.contains(.duplicateKeys) else {
            throw failure(.duplicateKey, "the name \"\(name)\" appears twice in this object", at: keyOffset)
        }
        if duplicates.count < Self.maximumDuplicates {
            duplicates.append(Repetition(tokens: path, offset: keyOffset))
        }
        // The first member with this name is in the tree, so the nodes of this member's value are removed.
        if keepsNodes { nodes.removeSubrange(firstNode...) }
    }

    /// `array = begin-array [ value *( value-separator value ) ] end-array`
    private mutating func parseArray() throws(Failure) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        skipWhitespace()
        if peek() != UInt8(ascii: "]") {
            while true {
                if options.contains(.duplicateKeys) { path.append(String(elements.count)) }
                defer { if options.contains(.duplicateKeys) { path.removeLast() } }
                elements.append(try parseValue(keyOffset: -1))
                skipWhitespace()
                guard peek() == UInt8(ascii: ",") else { break }
                index += 1
                skipWhitespace()
            }
        }
        guard peek() == UInt8(ascii: "]") else { throw unexpected("a comma or ] after an element") }
        leave()
        return elements
    }

    private mutating func parseNumber() throws(Failure) -> JSONNumber {
        guard let length = JSONNumberGrammar.length(in: bytes, from: index) else {
            throw failure(.invalidNumber, "this is not a valid JSON number", at: index)
        }
        if length > limits.numberLength {
            throw failure(
                .numberTooLong, "the number has \(length) characters; at most \(limits.numberLength) are allowed",
                at: index)
        }
        let text = String(decoding: bytes[index..<index + length], as: UTF8.self)
        index += length
        return JSONNumber(checked: text)
    }

    private mutating func parseLiteral(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        let isThere = word.withUTF8Buffer { letters in
            bytes.count - index >= letters.count && bytes[index..<index + letters.count].elementsEqual(letters)
        }
        guard isThere else { throw unexpected("a value (did you mean \(word)?)") }
        index += word.utf8CodeUnitCount
        return value
    }

    private mutating func enter() throws(Failure) {
        depth += 1
        if depth > limits.depth {
            throw failure(.tooDeep, "values are nested deeper than \(limits.depth) levels", at: index)
        }
        index += 1
    }

    private mutating func leave() {
        depth -= 1
        index += 1
    }
}

extension JSONParser {
    func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// `ws = *( space / tab / LF / CR )`
    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    func failure(_ code: JSONError.Code, _ message: String, at offset: Int) -> Failure {
        Failure(code: code, message: message, offset: offset)
    }

    private func unexpected(_ wanted: String) -> Failure {
        index < bytes.count
            ? failure(.unexpectedCharacter, "expected \(wanted), found \(found())", at: index)
            : failure(.unexpectedEnd, "expected \(wanted), found the end of the text", at: index)
    }

    /// The character at the index, in words.
    private func found() -> String {
        guard let byte = peek() else { return "the end" }
        switch byte {
        case 0x21...0x7E: return "\"\(UnicodeScalar(byte))\""
        case 0x80...: break
        default: return "byte 0x\(String(byte, radix: 16))"
        }
        // The text is valid UTF-8 and the index is at the start of a scalar, which has at most four bytes.
        let head = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        return head.unicodeScalars.first.map { "\"\($0)\"" } ?? "nothing"
    }
}

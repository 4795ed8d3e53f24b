import StrictJSON
import Testing

@Suite struct JSONDocumentTests {
    private func parse(
        _ text: String, limits: JSONLimits = JSONLimits(), options: JSONOptions = .strict
    ) throws(JSONError) -> JSONDocument {
        try JSONDocument(parsing: Array(text.utf8), limits: limits, options: options)
    }

    @Test(
        "JSON that RFC 8259 allows is read",
        arguments: [
            ("null", nil), (" \t\r\n true \n", true), ("false", false), ("0", 0), ("-1", -1), ("\"\"", ""),
            ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), ("[1,[2,{\"a\":[]}]]", [1, [2, ["a": []]]]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"),
            (#""\uD834\uDD1E""#, "\u{1D11E}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            ("\"\u{7F}\u{2028}é😀\"", "\u{7F}\u{2028}é😀"),
            (#"{"":{"":1}}"#, ["": ["": 1]]), (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
        ] as [(String, JSONValue)])
    func valid(text: String, value: JSONValue) throws {
        #expect(try parse(text).root == value)
    }

    @Test(
        "numbers keep their text",
        arguments: ["0", "-0", "1.0", "1e5", "1E+5", "-1.5e-10", "123456789012345678901234567890", "0.1"])
    func numbers(text: String) throws {
        #expect(try parse(text).root.number?.text == text)
    }

    @Test(
        "JSON that RFC 8259 forbids is refused with the position",
        arguments: [
            ("", .empty, 1, 1), (" \n ", .empty, 2, 2), ("{", .unexpectedEnd, 1, 2),
            ("[1,]", .unexpectedCharacter, 1, 4),
            ("{\"a\":1,}", .unexpectedCharacter, 1, 8), ("{a:1}", .unexpectedCharacter, 1, 2),
            ("{\"a\" 1}", .unexpectedCharacter, 1, 6),
            ("[1 2]", .unexpectedCharacter, 1, 4), ("{[]}", .unexpectedCharacter, 1, 2),
            ("'a'", .unexpectedCharacter, 1, 1),
            ("// x\n1", .unexpectedCharacter, 1, 1), ("nul", .unexpectedCharacter, 1, 1),
            ("True", .unexpectedCharacter, 1, 1),
            ("NaN", .unexpectedCharacter, 1, 1), ("1 2", .trailingContent, 1, 3), ("{}\n}", .trailingContent, 2, 1),
            ("01", .invalidNumber, 1, 1), ("-", .invalidNumber, 1, 1), ("1.", .invalidNumber, 1, 1),
            (".5", .unexpectedCharacter, 1, 1),
            ("1e", .invalidNumber, 1, 1), ("+1", .unexpectedCharacter, 1, 1), ("-01", .invalidNumber, 1, 1),
            ("0x1", .trailingContent, 1, 2),
            ("\"a", .unexpectedEnd, 1, 1), ("\"\\x\"", .invalidEscape, 1, 2), ("\"\\u12g4\"", .invalidEscape, 1, 2),
            ("\"\\u12", .unexpectedEnd, 1, 2), ("\"a\nb\"", .controlCharacter, 1, 3),
            ("\"\t\"", .controlCharacter, 1, 2),
            ("\"\\uD800\"", .loneSurrogate, 1, 2), ("\"\\uDC00\"", .loneSurrogate, 1, 2),
            ("\"\\uD800\\u0041\"", .loneSurrogate, 1, 2), ("[\"\\u0000\"]", .nulCharacter, 1, 3),
            ("{\n \"a\": 1,\n \"a\": 2\n}", .duplicateKey, 3, 2), ("{\"\\u0061\":1,\"a\":2}", .duplicateKey, 1, 13),
            ("\u{FEFF}{}", .byteOrderMark, 1, 1), ("é", .unexpectedCharacter, 1, 1),
            ("\"é\" x", .trailingContent, 1, 5),
        ] as [(String, JSONError.Code, Int, Int)])
    func invalid(text: String, code: JSONError.Code, line: Int, column: Int) throws {
        let error = try #require(throws: JSONError.self) { try self.parse(text) }
        #expect(error.code == code)
        #expect((error.position.line, error.position.column) == (line, column))
        #expect(!error.message.isEmpty)
    }

    @Test(
        "ill-formed UTF-8 is refused with the position of its first byte",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFF],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) throws {
        let text = Array("[\"x\", \"".utf8) + bytes + Array("\"]".utf8)
        let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
        #expect(error.code == .notUTF8)
        #expect(error.position.offset == 7)
    }

    @Test("a value at a limit is read, and one above it is refused")
    func limits() throws {
        func code(_ text: String, _ limits: JSONLimits) -> JSONError.Code? {
            do {
                _ = try parse(text, limits: limits)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code("[[1]]", JSONLimits(depth: 2)) == nil)
        #expect(code("[[[1]]]", JSONLimits(depth: 2)) == .tooDeep)
        #expect(code("12345", JSONLimits(numberLength: 5)) == nil)
        #expect(code("123456", JSONLimits(numberLength: 5)) == .numberTooLong)
        #expect(code("\"ab\"", JSONLimits(stringLength: 2)) == nil)
        #expect(code("\"abc\"", JSONLimits(stringLength: 2)) == .stringTooLong)
        #expect(code("\"\\u0061\\n\\n\"", JSONLimits(stringLength: 2)) == .stringTooLong)
        #expect(code("\"e\u{301}\u{316}\"", JSONLimits(marksInRow: 2)) == nil)
        #expect(code("\"e\u{301}\u{316}\u{301}\"", JSONLimits(marksInRow: 2)) == .tooManyMarks)
        #expect(code("\"e\\u0301\\u0316\\u0301\"", JSONLimits(marksInRow: 2)) == .tooManyMarks)
        #expect(code("{\"\u{1F1E9}\u{1F1EA}\u{1F1E9}\":1}", JSONLimits(marksInRow: 2)) == .tooManyMarks)
        #expect(code("\"e\u{301}e\u{301}e\u{301}e\u{301}\"", JSONLimits(marksInRow: 2)) == nil)
        #expect(code("[1]", JSONLimits(bytes: 3)) == nil)
        #expect(code("[11]", JSONLimits(bytes: 3)) == .tooLarge)
        #expect(code(String(repeating: "[", count: 100_000), JSONLimits()) == .tooDeep)
        #expect(code(String(repeating: "7", count: 400), JSONLimits()) == .numberTooLong)
        #expect(code("[[],{\"a\":1}]", JSONLimits(values: 4)) == nil)
        #expect(code("[[],{\"a\":1}]", JSONLimits(values: 3)) == .tooManyValues)
    }

    @Test(
        "a body can have 250,000 values of any kind, including repeated members",
        arguments: ["[],", "1,", "{},", "\"\",", "[[]],"])
    func values(element: String) throws {
        let values = element == "[[]]," ? 2 : 1
        func text(_ count: Int) -> [UInt8] {
            Array("[".utf8) + Array(String(repeating: element, count: count).utf8.dropLast()) + Array("]".utf8)
        }
        let maximum = 249_999 / values
        #expect(throws: Never.self) { try JSONValue(parsing: text(maximum)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: text(maximum + 1)) }
        #expect(throws: JSONError.self) { try JSONDocument(parsing: text(maximum + 1), options: .lenient) }
        let repeated = Array(("{" + String(repeating: "\"\":0,", count: 250_000) + "\"\":0}").utf8)
        let error = #expect(throws: JSONError.self) {
            try JSONDocument(parsing: repeated, limits: JSONLimits(bytes: repeated.count), options: .lenient)
        }
        #expect(error?.code == .tooManyValues)
    }

    @Test("parsing without positions gives the same value, and the same fault with its position")
    func withoutPlaces() throws {
        let texts = [
            "{\"a\":[1,{\"b\":null}],\"c\":\"é\"}", "[1,\n2,\r\n x]", "\r\n\r[\"é\",]", "[", "", "{\"a\":1,\n\"a\":2}",
            "[1]\r",
            "\u{FEFF}[]", "[\n\u{1F600}",
        ]
        for text in texts {
            for options in [JSONOptions.strict, .lenient] {
                let whole = Result { () throws(JSONError) in
                    try JSONDocument(parsing: Array(text.utf8), options: options).root
                }
                let value = Result { () throws(JSONError) in try JSONValue(parsing: Array(text.utf8), options: options)
                }
                #expect(whole == value, "\(text)")
            }
        }
    }

    @Test("the lenient options accept a byte order mark and \\u0000, and report repeated keys")
    func lenient() throws {
        let text = "\u{FEFF}{\"a\":\"\\u0000\",\"b\":[{\"x\":1,\"x\":{\"y\":2},\"z\":3}],\"c\":4}"
        let document = try parse(text, options: .lenient)
        #expect(document.root == ["a": "\u{0}", "b": [["x": 1, "z": 3]], "c": 4])
        #expect(document.duplicates.map(\.pointer.description) == ["/b/0/x"])
        #expect(document.duplicates.map(\.position.column) == [28])
        // A value after a dropped member keeps its position.
        #expect(document.position(of: JSONPointer(tokens: ["b", "0", "z"]))?.column == 44)
        #expect(document.position(of: JSONPointer(tokens: ["c"]))?.column == 52)
    }

    @Test("values and the names of members have positions, with lines that end with LF, CR LF or CR")
    func positions() throws {
        let document = try parse("{\n  \"a\": [1,\r\n    {\"é\": true, \"b\" :null}\r],\n\"c\":\"d\"}")
        func value(_ tokens: String...) -> String? { document.position(of: JSONPointer(tokens: tokens))?.description }
        func key(_ tokens: String...) -> String? { document.keyPosition(of: JSONPointer(tokens: tokens))?.description }
        #expect(value() == "1:1")
        #expect(value("a") == "2:8")
        #expect(key("a") == "2:3")
        #expect(value("a", "0") == "2:9")
        #expect(value("a", "1") == "3:5")
        #expect(value("a", "1", "é") == "3:11")
        #expect(key("a", "1", "b") == "3:17")
        #expect(value("a", "1", "b") == "3:22")
        #expect(value("c") == "5:5")
        #expect(key() == nil)
        #expect(key("a", "0") == nil)
        #expect(value("a", "2") == nil)
        #expect(value("a", "1", "x") == nil)
        #expect(value("c", "d") == nil)
    }

    @Test("an object with very many members is read, each with its position")
    func manyMembers() throws {
        let names = (0..<5_000).map { "k\($0)" }
        let document = try parse("{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}")
        #expect(document.root["k4999"] == "k4999")
        #expect(document.root["k17"] == "k17")
        #expect(document.root.object?.names == names)
        let repeated = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + ",\"k7\":2}"
        #expect(throws: JSONError.self) { try self.parse(repeated) }
    }
}

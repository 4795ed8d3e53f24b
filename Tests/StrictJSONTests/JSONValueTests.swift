import StrictJSON
import Testing

@Suite struct JSONValueTests {
    @Test("canonically equivalent strings and names are not equal")
    func bytes() {
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        let object: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(object.count == 2)
        #expect(object["e\u{301}"] == 2)
        #expect(object["\u{E9}"] == 1)
        #expect(Set<JSONValue>([.string("\u{E9}"), .string("e\u{301}")]).count == 2)
    }

    @Test("members keep their order; setting replaces a value in place, and nil removes it")
    func members() {
        var object: JSONObject = ["b": 1, "a": 2, "c": 3]
        object["a"] = 20
        object["d"] = 4
        object["b"] = nil
        #expect(object.names == ["a", "c", "d"])
        #expect(object["a"] == 20)
        #expect(object["b"] == nil)
        let isNew = object.insert("a", 0)
        #expect(!isNew)
    }

    @Test("the members of small and large objects are found, also after removals")
    func manyMembers() {
        var object = JSONObject()
        for number in 0..<100 { object["k\(number)"] = .int(number) }
        for number in stride(from: 0, to: 100, by: 2) { object["k\(number)"] = nil }
        #expect(object.count == 50)
        for number in 0..<100 { #expect(object["k\(number)"]?.int == (number.isMultiple(of: 2) ? nil : number)) }
        for number in 20..<100 { object["k\(number)"] = nil }
        #expect(object.names == (0..<10).map { "k\(2 * $0 + 1)" })
        #expect(object["k19"] == 19)
    }

    @Test("sorting puts names in byte order at every depth, and keeps the order of arrays")
    func sorting() {
        let value: JSONValue = ["b": [["z": 1, "A": 2], 3, 1], "a": 1, "\u{E9}": 0, "B": 2]
        #expect(value.sorted() == ["B": 2, "a": 1, "b": [["A": 2, "z": 1], 3, 1], "\u{E9}": 0])
        #expect(value.sorted() != value)
    }

    @Test(
        "a number is an integer if its value is whole and fits",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1.0", 1), ("1e2", 100), ("1.50e1", 15), ("120e-1", 12),
            ("0e99", 0),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("-9.223372036854775808e18", .min),
            ("9223372036854775808", nil), ("1.5", nil), ("1e-1", nil), ("1e19", nil), ("1e999999999999999999999", nil),
            ("1e-9223372036854775808", nil),
            ("0.00", 0), ("100000000000000000000e-20", 1),
        ] as [(String, Int?)])
    func whole(text: String, int: Int?) throws {
        #expect(try #require(JSONNumber(text: text)).int == int)
    }

    @Test(
        "a text that is not a JSON number is refused",
        arguments: ["", " 1", "1 ", "01", "1.", "--1", "1e+", "Infinity", "١"])
    func noNumber(text: String) { #expect(JSONNumber(text: text) == nil) }

    @Test("compact bytes have no white space, only necessary escapes, and members in their order")
    func compact() {
        let value: JSONValue = ["b": [1, true, nil, [], [:]], "a": "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é😀"]
        let expected = #"{"b":[1,true,null,[],{}],"a":"\"\\/\b\f\n\r\t\u0001\u001f"# + "\u{7F}é😀\"}"
        #expect(String(decoding: value.bytes(), as: UTF8.self) == expected)
    }

    @Test("pretty bytes have two spaces per level, and empty containers on one line")
    func pretty() {
        let value: JSONValue = ["a": [1, ["b": nil]], "c": [], "d": [:]]
        let expected = """
            {
              "a": [
                1,
                {
                  "b": null
                }
              ],
              "c": [],
              "d": {}
            }
            """
        #expect(String(decoding: value.bytes(.pretty), as: UTF8.self) == expected)
    }

    @Test("bytes in both styles are read back as the same value", arguments: [JSONStyle.compact, .pretty])
    func roundTrip(style: JSONStyle) throws {
        let value: JSONValue = [
            "": "\u{1}\\\"é\u{2028}", "n": .array([JSONNumber(text: "-1.5e-7")].compactMap { $0 }.map { .number($0) }),
            "o": ["x": [[], [:], false, nil]],
        ]
        #expect(try JSONDocument(parsing: value.bytes(style)).root == value)
    }
}

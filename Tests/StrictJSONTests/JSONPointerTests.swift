import StrictJSON
import Testing

@Suite struct JSONPointerTests {
    private static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        "the examples of RFC 6901, section 5, refer to the right values",
        arguments: [
            ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5),
            ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSONValue)])
    func examples(text: String, value: JSONValue) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(Self.document[pointer] == value)
        #expect(pointer.description == text)
    }

    @Test("the empty pointer refers to the whole document")
    func root() throws {
        #expect(Self.document[try #require(JSONPointer(""))] == Self.document)
        #expect(JSONPointer("")?.tokens.isEmpty == true)
    }

    @Test("a pointer without its first slash or with a bad escape is refused", arguments: ["a", "/~", "/~2", "/a~"])
    func invalid(text: String) { #expect(JSONPointer(text) == nil) }

    @Test(
        "an index has no leading zero and no sign, and is within the array",
        arguments: ["/foo/00", "/foo/+1", "/foo/-", "/foo/2", "/foo/99999999999999999999"])
    func badIndex(text: String) throws { #expect(Self.document[try #require(JSONPointer(text))] == nil) }

    @Test("canonically equivalent steps are different steps")
    func bytes() {
        #expect(JSONPointer(tokens: ["\u{E9}"]) != JSONPointer(tokens: ["e\u{301}"]))
        #expect(JSONPointer().appending("a").contains(JSONPointer().appending("a").appending(1)))
        #expect(!JSONPointer().appending("a").contains(JSONPointer().appending("b")))
    }
}

import AASA
import StrictJSON
import Testing

@testable import Storage

/// What the audit trail says about an edit of a draft.
@Suite("Changes of a draft")
struct DraftChangesTests {
    private static func draft(_ text: String) throws -> Draft { try Draft(json: parseJSON(text)) { "new" } }

    private static func parseJSON(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test(
        "names what was added, changed, removed and moved",
        arguments: [
            // What happens, the entries before and after, and the listed changes.
            ("nothing", #"{"id":"e","apps":["A"],"rules":[]}"#, #"{"id":"e","apps":["A"],"rules":[]}"#, "[]"),
            (
                "a rule is added first", #"{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/r"}]}"#,
                #"{"id":"e","apps":["A"],"rules":[{"id":"s","path":"/s"},{"id":"r","path":"/r"}]}"#,
                #"[{"rule":"s","value":{"path":"/s","entry":"e"}}]"#
            ),
            (
                "a rule is changed", #"{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/r"}]}"#,
                #"{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/r","exclude":true}]}"#,
                #"[{"rule":"r","value":{"path":"/r","exclude":true,"entry":"e"},"before":{"path":"/r","entry":"e"}}]"#
            ),
            (
                "rules are replaced by none, and by every URL",
                #"{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/r"}]}"#,
                #"{"id":"e","apps":["A"],"rules":null}"#,
                #"""
                [{"rule":"r","before":{"path":"/r","entry":"e"}},
                 {"entry":"e","value":{"apps":["A"],"rules":null,"defaults":{},"extras":{}},
                  "before":{"apps":["A"],"defaults":{},"extras":{}}}]
                """#
            ),
            (
                "rules are exchanged",
                #"{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/r"},{"id":"s","path":"/s"}]}"#,
                #"{"id":"e","apps":["A"],"rules":[{"id":"s","path":"/s"},{"id":"r","path":"/r"}]}"#,
                #"[{"entry":"e","value":{"order":["s","r"]},"before":{"order":["r","s"]}}]"#
            ),
            (
                "a rule is moved one place down",
                #"{"id":"e","apps":["A"],"rules":[{"id":"q"},{"id":"r"},{"id":"s"},{"id":"t"}]}"#,
                #"{"id":"e","apps":["A"],"rules":[{"id":"q"},{"id":"s"},{"id":"r"},{"id":"t"}]}"#,
                #"[{"entry":"e","value":{"order":["s","r"]},"before":{"order":["r","s"]}}]"#
            ),
            (
                "entries are exchanged",
                #"{"id":"e","apps":["A"],"rules":[]},{"id":"f","apps":["B"],"rules":[]}"#,
                #"{"id":"f","apps":["B"],"rules":[]},{"id":"e","apps":["A"],"rules":[]}"#,
                #"[{"setting":"entries","value":{"order":["f","e"]},"before":{"order":["e","f"]}}]"#
            ),
        ])
    func entries(_ what: String, _ before: String, _ after: String, _ expected: String) throws {
        let changes = try DraftChanges(
            from: Self.draft(#"{"entries":[\#(before)]}"#), to: Self.draft(#"{"entries":[\#(after)]}"#))
        #expect(try JSONValue.array(changes.listed) == Self.parseJSON(expected), "\(what)")
        #expect(changes.omitted == 0)
    }

    @Test("names a setting of the whole draft")
    func settings() throws {
        let changes = try DraftChanges(
            from: Self.draft("{}"), to: Self.draft(#"{"compatibility":"ios9"}"#))
        #expect(
            try JSONValue.array(changes.listed)
                == Self.parseJSON(#"[{"setting":"compatibility","value":"ios9","before":"ios13"}]"#))
    }

    @Test("lists a limited number of bytes, and counts the other changes")
    func limit() throws {
        let rules = (1...1_000).map { #"{"id":"r\#($0)","path":"/\#($0)"}"# }.joined(separator: ",")
        let changes = try DraftChanges(
            from: Self.draft("{}"), to: Self.draft(#"{"entries":[{"id":"e","apps":["A"],"rules":[\#(rules)]}]}"#))
        #expect(JSONValue.array(changes.listed).bytes().count <= DraftChanges.maximumSize + changes.listed.count + 2)
        #expect(changes.listed.count > 50)
        // The entry is a change too.
        #expect(changes.listed.count + changes.omitted == 1_001)
    }

    @Test("a long value has its digest, and hides no change of a rule")
    func longValues() throws {
        let comment = String(repeating: "c", count: 4_000)
        let rules = #"{"id":"r","path":"/r"},{"id":"s","path":"/s","comment":"\#(comment)"}"#
        let changes = try DraftChanges(
            from: Self.draft(#"{"entries":[{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/old"}]}]}"#),
            to: Self.draft(
                #"{"entries":[{"id":"e","apps":["A"],"rules":[\#(rules)]}],"extras":{"x":"\#(comment + comment)"}}"#))
        #expect(changes.omitted == 0)
        let names = changes.listed.map { $0["rule"]?.string ?? $0["setting"]?.string ?? "" }
        #expect(names == ["r", "s", "extras"])
        #expect(changes.listed[0]["before"]?["path"]?.string == "/old")
        for change in changes.listed.dropFirst() {
            #expect(change["value"]?["sha256"]?.string?.count == 64)
            #expect(try #require(change["value"]?["bytes"]?.int) > 4_000)
        }
    }
}

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
                [{"entry":"e","value":{"apps":["A"],"rules":null,"defaults":{},"extras":{}},
                  "before":{"apps":["A"],"defaults":{},"extras":{}}},
                 {"rule":"r","before":{"path":"/r","entry":"e"}}]
                """#
            ),
            (
                "rules are exchanged",
                #"{"id":"e","apps":["A"],"rules":[{"id":"r","path":"/r"},{"id":"s","path":"/s"}]}"#,
                #"{"id":"e","apps":["A"],"rules":[{"id":"s","path":"/s"},{"id":"r","path":"/r"}]}"#,
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
}

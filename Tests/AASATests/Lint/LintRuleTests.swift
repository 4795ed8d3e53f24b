import AASA
import StrictJSON
import Testing

/// Findings on single rules and on combinations of rules. The pages show each code once; here are the edge cases.
@Suite struct LintRuleTests {
    private func codes(_ file: String) -> [String] {
        Association.lint(Array(file.utf8), sensitive: []).findings.map(\.code.rawValue)
    }

    private func codes(components: String) -> [String] {
        codes(#"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[\#(components)]}]}}"#)
    }

    @Test(
        "a rule after one that covers it is found, as an error if the result differs; other rules are not",
        arguments: [
            (#"{"/":"/a/*"},{"/":"/a/b"}"#, ["WM024"]), (#"{"/":"/a/*"},{"/":"/a"}"#, ["WM024"]),
            (#"{"/":"/a*"},{"/":"/a/b*c","exclude":true}"#, ["WM023"]),
            (#"{"/":"/a/*","exclude":true},{"/":"/a/??"}"#, ["WM023"]),
            (#"{"/":"/a/?*"},{"/":"/a/?"}"#, ["WM024"]), (#"{"/":"*b"},{"/":"/a/*/b"}"#, ["WM024"]),
            (#"{"/":"/a","caseSensitive":false},{"/":"/A"}"#, ["WM024"]),
            (#"{"/":"/1/*"},{"/":"/1/A","caseSensitive":false}"#, ["WM024"]),
            (#"{"/":"/$(digit)/*"},{"/":"/7/x"}"#, ["WM024"]), (#"{"/":"/?/*"},{"/":"/$(alpha)/x"}"#, ["WM024"]),
            (##"{"/":"/a","#":"x*"},{"/":"/a","#":"xy"}"##, ["WM024"]),
            (#"{"/":"/a","?":{"q":"?*"}},{"/":"/a","?":{"q":"x","r":"1"}}"#, ["WM024"]),
            (#"{"/":"/a","?":"x=*"},{"/":"/a","?":"x=1"}"#, ["WM024"]), (#"{"/":"/a"},{"/":"/a/"}"#, ["WM024"]),
            // Not covered, or not certainly.
            (#"{"/":"/a/b"},{"/":"/a/*"}"#, []), (#"{"/":"/A"},{"/":"/a","caseSensitive":false}"#, []),
            (#"{"/":"/a"},{"/":"/A"}"#, []), (#"{"/":"/a?"},{"/":"/a"}"#, []), (#"{"/":"/a/??"},{"/":"/a/?*"}"#, []),
            (#"{"/":"/a","?":{"q":"x"}},{"/":"/a"}"#, []), (#"{"/":"/a","?":{"q":"x"}},{"/":"/a","?":"q=x"}"#, []),
            (#"{"/":"/a","percentEncoded":false},{"/":"/a"}"#, []), (#"{"/":"/x/$(digit)"},{"/":"/x/?"}"#, []),
            (#"{"/":"/a?c"},{"/":"/a*c"}"#, []), (#"{"/":"/aa"},{"/":"/a*"}"#, []),
        ])
    func covered(components: String, expected: [String]) {
        #expect(codes(components: components).filter { $0 != "WM070" } == expected)
    }

    @Test("an element of paths that iOS 9 to 12 may need is not redundant")
    func bothSpellings() {
        func paths(_ list: String) -> [String] {
            codes(#"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":[\#(list)]}]}}"#)
        }
        #expect(paths(#""/buy/*","/buy""#) == [])
        #expect(paths(#""/buy*","/buy""#) == ["WM024"])
    }

    @Test(
        "misleading patterns are found; others are not",
        arguments: [
            (#"{"/":"/a#b"}"#, ["WM025"]), (#"{"/":"/a#b","percentEncoded":false}"#, []),
            (#"{"/":"/a b"}"#, ["WM026"]), (#"{"/":"/a b","percentEncoded":false}"#, []),
            (#"{"?":{"ä":"1"}}"#, ["WM026"]), (#"{"?":{"a":"ä"}}"#, ["WM026"]), (#"{"/":"/a%20b"}"#, []),
            (#"{"/":"/a%20b","percentEncoded":false}"#, ["WM029"]), (#"{"/":"/100%","percentEncoded":false}"#, []),
            (#"{"/":"/a?b=*"}"#, ["WM027"]), (#"{"/":"/a/?*"}"#, []), (#"{"/":"/a?*"}"#, ["WM044"]),
            (#"{"/":"/a??*"}"#, []), (#"{"/":"/*?*"}"#, []), (#"{"/":"https://x.com/a"}"#, ["WM028"]),
            (#"{"/":"/a\\b"}"#, ["WM040"]), (##"{"#":"#a"}"##, ["WM041"]), (##"{"?":"?a=1"}"##, ["WM041"]),
            (##"{"?":"?*"}"##, []), (##"{"?":"??"}"##, []), (#"{"?":{"a":"*"}}"#, ["WM042"]),
            (#"{"?":{"a":""}}"#, ["WM073"]),
            (#"{"?":{"a*":"1"}}"#, ["WM043"]), (#"{"?":{"a=b":"1"}}"#, ["WM043"]),
            (#"{"?":{"$(lang)":"1"}}"#, ["WM043"]),
            (#"{"/":"a"}"#, ["WM045"]), (#"{"/":""}"#, ["WM045"]), (#"{"/":"/"}"#, []), (#"{"/":"*"}"#, []),
            (#"{"/":"**"}"#, ["WM046"]), (#"{"/":"/a/**/b"}"#, ["WM046"]),
            (#"{"?":{"a":"1"},"caseSensitive":false}"#, ["WM048"]), (#"{"?":{"1":"a"},"caseSensitive":false}"#, []),
            (#"{"/":"/$(lang)/x"}"#, ["WM049"]), (#"{"/":"/$(region)/x","caseSensitive":false}"#, []),
            (#"{"/":"/$(region)/x","caseSensitive":false},{"/":"/uk/x"}"#, ["WM049"]),
            (#"{"/":"/a/b","percentEncoded":false}"#, ["WM056"]), (#"{"/":"/a/*","percentEncoded":false}"#, []),
        ])
    func patterns(component: String, expected: [String]) { #expect(codes(components: component) == expected) }

    @Test(
        "a malformed NOT is found",
        arguments: [
            ("NOT /a", []), ("not /a", ["WM047"]), ("NOT/a", ["WM047"]), ("NOT  /a", ["WM047"]),
            ("NOTES/a", []), ("notice", []),
        ])
    func malformedNot(path: String, expected: [String]) {
        let file = #"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":["\#(path)","/z"]}]}}"#
        // WM063, an exclusion without effect, is another finding.
        #expect(codes(file).filter { $0 != "WM063" } == expected)
    }

    @Test("a rule that opens sensitive links is reported once, with the links; one that names the link is not")
    func sensitiveLinks() throws {
        let file = #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/oauth/*"},{"/":"*"}]}]}}"#
        let links = [
            SensitiveLink(url: "/oauth/callback", purpose: "a callback"), SensitiveLink(url: "/shop", purpose: "mine"),
            SensitiveLink(url: "/admin", purpose: "administration"),
        ]
        let findings = Association.lint(Array(file.utf8), sensitive: links).findings
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.pointer.description == "/applinks/details/0/components/1")
        #expect(finding.message.contains("/shop (mine), /admin (administration)."))
    }

    @Test("the URL in a finding on an overlap or an evaded exclusion has the result that the finding says")
    func shownURLs() throws {
        let overlap =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/*/x"}]},{"appIDs":["Q1W2E3R4T5.b"],"components":[{"/":"/no"},{"/":"/y/*","?":{"q":"?1"}}]}]}}"#
        let found = Association.lint(Array(overlap.utf8), sensitive: []).findings
        #expect(found.map(\.code.rawValue) == ["WM058"])
        #expect(found.first?.message.contains("both open /y/x/?q=x1.") == true)
        let evaded =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/adm/*","exclude":true,"caseSensitive":false},{"/":"*"}]}]}}"#
        let finding = try #require(Association.lint(Array(evaded.utf8), sensitive: []).findings.first)
        #expect(finding.code == .evadableExclude)
        #expect(finding.severity == .warning)
        #expect(finding.message.contains("the app opens /%61dm/:"))
        let both =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/adm/*","exclude":true},{"/":"*"}]}]}}"#
        let message = Association.lint(Array(both.utf8), sensitive: []).findings.first?.message
        let ways = "/Adm/ and /%61dm/: letter case counts, and URLs are compared as they are encoded."
        #expect(message?.hasSuffix("the app opens \(ways)") == true)
    }

    @Test("savings are counted on the smaller file")
    func savings() throws {
        let rules = (0..<2_000).map { #"{ "/": "/r\#($0)/x", "comment": "number \#($0)", "exclude": false }"# }
        let file =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[\#(rules.joined(separator: ",\n"))]}]}}"#
        let finding = try #require(Association.lint(Array(file.utf8)).findings.first { $0.code == .headroom })
        let association = try Association(parsing: Array(file.utf8))
        let compact = association.bytes.count
        var text = String(decoding: association.bytes, as: UTF8.self)
        #expect(finding.message.contains("\(file.utf8.count - compact) by removing white space"))
        text = text.replacing(#/,"comment":"[^"]*"/#, with: "")
        #expect(finding.message.contains("\(compact - text.utf8.count) by removing comments"))
        let flags = 2_000 * #","exclude":false"#.utf8.count
        #expect(finding.message.contains("\(flags) by removing flags that have their default value"))
    }

    @Test("a finding says that a hostile file was not fully checked")
    func hostile() {
        let rules = (0..<3_000).map { #"{"/":"/*a\#($0)b"}"# }.joined(separator: ",")
        #expect(codes(components: rules).contains("WM009"))
    }
}

import AASA
import StrictJSON
import Testing

/// Findings on files that do something else than intended: rules without effect, ignored keys, other syntaxes, and the
/// consequences of such faults.
@Suite struct LintIntentionTests {
    private static let head = #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"#

    private func findings(_ file: String) -> [Finding] { Association.lint(Array(file.utf8), sensitive: []).findings }

    private func codes(_ file: String) -> [String] { findings(file).map(\.code.rawValue) }

    private func codes(components: String) -> [String] {
        codes(#"\#(Self.head)"components":[\#(components)]}]}}"#)
    }

    @Test(
        "an entry that only excludes opens nothing; an exclusion after the last rule that opens has no effect",
        arguments: [
            (#"{"/":"/a","exclude":true}"#, ["WM062"]), (#"{"exclude":true}"#, ["WM062"]),
            (#"{"/":"/a","exclude":true},{"/":"/a*"}"#, []), (#"{"/":"/b"},{"/":"/a","exclude":true}"#, ["WM063"]),
            (#"{"/":"/b"},{"/":"/a","exclude":true},{"/":"/c","exclude":true}"#, ["WM063"]),
            // An exclusion that never takes effect, or has a fault, has an error instead.
            (#"{"/":"/a/*"},{"/":"/a/b","exclude":true}"#, ["WM023"]),
            (#"{"/":"*"},{"/":"/a","exclude":true}"#, ["WM023"]),
            (#"{"/":"/b"},{"/":"/$(no)","exclude":true}"#, ["WM021"]),
        ])
    func exclusions(components: String, expected: [String]) { #expect(codes(components: components) == expected) }

    @Test("an entry opens nothing if defaults exclude, or all paths begin with NOT; the remedy fits")
    func opensNothing() throws {
        let byDefault =
            #"{"applinks":{"defaults":{"exclude":true},"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a"}]}]}}"#
        #expect(findings(byDefault).map(\.code) == [.opensNothing])
        #expect(findings(byDefault).first?.remedy.contains("\"exclude\": false") == true)
        let paths = #"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":["NOT /a"]}]}}"#
        #expect(findings(paths).map(\.code) == [.opensNothing])
        #expect(findings(paths).first?.pointer.description == "/applinks/details/0/paths")
        #expect(findings(paths).first?.remedy.contains("Add \"*\" as the last rule") == true)
    }

    @Test(
        "a rule after one that matches everything is an error only if its result differs",
        arguments: [
            (#"{"/":"*"},{"/":"/a"}"#, FindingCode.deadRule, Finding.Severity.notice),
            (#"{"/":"*","exclude":true},{"/":"/a","exclude":true},{"/":"/b"}"#, .deadRule, .notice),
            (#"{"/":"*"},{"/":"/a","exclude":true}"#, .contradictedRule, .error),
        ])
    func behindEverything(components: String, code: FindingCode, severity: Finding.Severity) {
        let found = findings(#"\#(Self.head)"components":[\#(components)]}]}}"#)
        #expect(found.first { $0.pointer.description.hasSuffix("/1") }?.code == code)
        #expect(code.severity == severity)
    }

    @Test(
        "a known key in the wrong place is found, and so are lists of exclusions",
        arguments: [
            (
                #"\#(head)"caseSensitive":false,"components":[{"/":"/a"}]}]}}"#,
                "WM064 /applinks/details/0/caseSensitive"
            ),
            (#"\#(head)"exclude":["/a"],"components":[{"/":"/a"}]}]}}"#, "WM064 /applinks/details/0/exclude"),
            (
                #"\#(head)"excludePaths":["/a"],"components":[{"/":"/a"}]}]}}"#,
                "WM064 /applinks/details/0/excludePaths"
            ),
            (#"\#(head)"components":[{"/":"/a"}]}],"webcredentials":{}}}"#, "WM064 /applinks/webcredentials"),
            (#"\#(head)"components":[{"/":"/a"}]}],"paths":[]}}"#, "WM064 /applinks/paths"),
            (#"\#(head)"components":[{"/":"/a","paths":[]}]}]}}"#, "WM064 /applinks/details/0/components/0/paths"),
            (#"\#(head)"components":[{"/":"/a"}]}]},"defaults":{}}"#, "WM064 /defaults"),
            (#"\#(head)"components":[{"/":"/a"}]}]},"substitutionVariables":{}}"#, "WM064 /substitutionVariables"),
            (#"{"webcredentials":{"apps":[],"appIDs":[]}}"#, "WM064 /webcredentials/appIDs"),
            (
                #"\#(head)"components":[{"/":"/a","isExcluded":true}]}]}}"#,
                "WM017 /applinks/details/0/components/0/isExcluded"
            ),
            (#"\#(head)"components":[{"/":"/a"}],"note":1}]}}"#, "WM016 /applinks/details/0/note"),
        ])
    func misplacedKeys(file: String, expected: String) {
        #expect(findings(file).map { "\($0.code.rawValue) \($0.pointer)" } == [expected])
    }

    @Test(
        "the syntax of routes, templates and regular expressions is found; text of URLs is not",
        arguments: [
            (#"{"/":"/a/[0-9]+"}"#, ["WM065"]), (#"{"/":"/a/{id}"}"#, ["WM065"]), (#"{"/":"/{{lang}}/a"}"#, ["WM065"]),
            (#"{"/":"/${lang}/a"}"#, ["WM065"]), (#"{"/":"/(a|b)/*"}"#, ["WM065"]), (#"{"/":"^/a"}"#, ["WM065"]),
            (#"{"/":"/a$"}"#, ["WM065"]), (#"{"/":"/users/<id>"}"#, ["WM065"]), (#"{"/":"/(.*)"}"#, ["WM065"]),
            (#"{"/":"/users/:id"}"#, ["WM066"]), (#"{"/":"/a/.*"}"#, ["WM066"]), (#"{"/":"/$lang/a"}"#, ["WM066"]),
            (#"{"/":"/Swift_(bird)"}"#, []), (#"{"/":"/$(lang)/a","caseSensitive":false}"#, []),
            (#"{"/":"/a:8080/*"}"#, []), (#"{"/":"/index.*"}"#, []), (#"{"/":"*.pdf"}"#, []), (#"{"/":"/a/$12"}"#, []),
            (#"{"?":{"a":"b[]"}}"#, []), (#"{"?":{"a":"[x]"}}"#, []), (#"{"/":"/it's:here"}"#, []),
        ])
    func foreignSyntax(component: String, expected: [String]) { #expect(codes(components: component) == expected) }

    @Test("the remedy for a placeholder has its name, and for an anchor says to remove it")
    func foreignRemedies() {
        func remedy(_ path: String) -> String? {
            findings(#"\#(Self.head)"components":[{"/":"\#(path)"}]}]}}"#).first?.remedy
        }
        #expect(remedy("/users/{id}")?.contains("$(id)") == true)
        #expect(remedy("/users/:id")?.contains("$(id)") == true)
        #expect(remedy("^/a")?.hasPrefix("Remove it") == true)
    }

    @Test(
        "characters that URLs contain only in encoded form are found in all parts of patterns",
        arguments: [
            (##"{"/":"/a","?":"x#y"}"##, ["WM026"]), (##"{"/":"/a","?":{"q":"x#y"}}"##, ["WM026"]),
            (#"{"/":"/a","?":{"q":"a&b"}}"#, ["WM026"]), (#"{"/":"/a","?":{"q":"a&b"},"percentEncoded":false}"#, []),
            (#"{"/":"/a","?":{"a b":"1"}}"#, ["WM026"]), (#"{"/":"/a","?":{"a b":"1"},"percentEncoded":false}"#, []),
            (#"{"/":"/a","?":{"ids[]":"1"}}"#, ["WM069"]), (#"{"/":"/a","?":{"ids%5B%5D":"1"}}"#, []),
            (#"{"/":"/100%/a"}"#, ["WM067"]), (#"{"/":"/100%"}"#, ["WM067"]), (#"{"/":"/a%2"}"#, ["WM067"]),
            (#"{"/":"/%$(xdigit)?"}"#, []), (#"{"/":"/%2*"}"#, []), (#"{"/":"/100%25"}"#, []),
            (#"{"/":"/caf%c3%a9"}"#, ["WM068"]), (#"{"/":"/caf%C3%A9"}"#, []), (#"{"/":"/%61dmin"}"#, ["WM068"]),
            (#"{"/":"/a%2Fb"}"#, []), (#"{"/":" /a"}"#, ["WM026"]), (#"{"/":"/a\n"}"#, ["WM026"]),
            (#"{"/":"www.acme.com/a"}"#, ["WM028"]), (#"{"/":"acme.com/*"}"#, ["WM028"]), (#"{"/":"a.b/c"}"#, []),
            (#"{"/":"/acme.com/a"}"#, []), (#"{"/":"index.html"}"#, []), (#"{"/":"NOT /a"},{"/":"/b"}"#, ["WM047"]),
            (#"{"/":"/a","?":"id=*"}"#, ["WM070"]), (#"{"/":"/a","?":"*id=*"}"#, []),
            (#"{"/":"/a","?":"id"}"#, ["WM070"]),
        ])
    func characters(component: String, expected: [String]) { #expect(codes(components: component) == expected) }

    @Test(
        "* for a query or fragment requires nothing, unless it overrides defaults",
        arguments: [
            (#"{"/":"/a/*","?":"*","exclude":true},{"/":"/a*"}"#, ["WM042"]), (##"{"/":"/a","#":"*"}"##, ["WM042"]),
            (#"{"/":"/a","?":"?*"}"#, []), (#"{"/":"/a","?":""}"#, []),
        ])
    func anything(components: String, expected: [String]) {
        #expect(codes(components: components) == expected)
        let over = ##"\##(Self.head)"defaults":{"?":"a?","#":"b"},"components":[\##(components)]}]}}"##
        #expect(codes(over).filter { $0 == "WM042" }.isEmpty)
    }

    @Test(
        "the check of a variable's value depends on the part and the comparison of the patterns that use it",
        arguments: [
            ("é", #"{"/":"/$(v)"}"#, ["WM026"]), ("é", #"{"/":"/$(v)","percentEncoded":false}"#, []),
            ("a#b", #"{"/":"/$(v)"}"#, ["WM026"]), ("a#b", ##"{"/":"/a","#":"$(v)"}"##, []),
            ("a&b", #"{"/":"/$(v)"}"#, []), ("a&b", #"{"/":"/a","?":{"q":"$(v)"}}"#, ["WM026"]),
            ("[0-9]", #"{"/":"/$(v)"}"#, ["WM065"]), ("%c3", #"{"/":"/$(v)"}"#, ["WM068"]),
            ("", #"{"/":"/$(v)"}"#, ["WM072"]),
            ("a?b*", #"{"/":"/$(v)"}"#, []), ("a?b=1", #"{"/":"/$(v)"}"#, ["WM027"]),
            ("a?b=1", #"{"?":"$(v)"}"#, []),
        ])
    func values(value: String, component: String, expected: [String]) {
        let file =
            #"\#(Self.head)"components":[\#(component)]}],"substitutionVariables":{"v":["ok","\#(value)"]}}}"#
        #expect(codes(file) == expected)
    }

    @Test(
        "no fix that keeps outcomes removes something that iOS ignores only because of a fault",
        arguments: [
            #"{"applinks":{"details":[{"appIds":["Q1W2E3R4T5.a"],"components":[{"/":"/keep"}]}]}}"#,
            #"{"applinks":{"details":[{"appIDs":"Q1W2E3R4T5.a","components":[{"/":"/keep"}]}]}}"#,
            #"{"applinks":{"details":[{"appID":["Q1W2E3R4T5.a"],"components":[{"/":"/keep"}]}]}}"#,
            #"{"applinks":{"details":[{"components":[{"/":"/keep"}]}]}}"#,
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":["/a","NOT /keep"]}]}}"#,
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a*"},{"/":"/a/keep","excluded":true}]}]}}"#,
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/$(langs)"}]}],"substitutionVariables":{"Langs":["keep"]}}}"#,
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/{lang}"}]}],"substitutionVariables":{"lang":["keep"]}}}"#,
            #"{"applinks":{"apps":["Q1W2E3R4T5.keep"],"details":[{"appIds":["Q1W2E3R4T5.keep"],"paths":["/a"]}]}}"#,
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"path":"/a"}],"paths":["/keep"]}]}}"#,
        ])
    func removals(file: String) {
        let fixes = findings(file).compactMap(\.fix).filter(\.keepsOutcomes)
        let (text, _) = Fix.apply(fixes, to: Array(file.utf8))
        let kept = { (text: String) in text.split(separator: "keep", omittingEmptySubsequences: false).count }
        #expect(kept(String(decoding: text, as: UTF8.self)) == kept(file))
    }

    @Test(
        "the cause comes first, and its consequence names it",
        arguments: [
            (#"{"compnents":[{"/":"/a"}],"appIDs":["Q1W2E3R4T5.a"]}"#, ["WM079", "WM033"], "compnents"),
            (#"{"components":{"/":"/a"},"appIDs":["Q1W2E3R4T5.a"]}"#, ["WM010", "WM033"], "components"),
            (#"{"appIds":["Q1W2E3R4T5.a"],"components":[{"/":"/a"}]}"#, ["WM017", "WM012"], "appIds"),
            (#"{"appIDs":"Q1W2E3R4T5.a","components":[{"/":"/a"}]}"#, ["WM010", "WM012"], "appIDs"),
        ])
    func causes(entry: String, expected: [String], key: String) {
        let found = Association.lint(Array(#"{"applinks":{"details":[\#(entry)]}}"#.utf8)).findings
        #expect(found.map(\.code.rawValue) == expected)
        #expect(found.last?.message.hasPrefix("iOS does not read \"\(key)\" as the ") == true)
        #expect(found.last?.remedy.contains("\"*\"") == false)
    }

    @Test("a fix removes an app that appears twice in one list, in every service")
    func listedTwice() throws {
        let file = #"{"webcredentials":{"apps":["Q1W2E3R4T5.a","Q1W2E3R4T5.a"]}}"#
        let finding = try #require(findings(file).first)
        #expect(finding.code == .repeatedApp)
        let mended = try #require(finding.fix?.applied(to: Array(file.utf8)))
        #expect(String(decoding: mended, as: UTF8.self) == #"{"webcredentials":{"apps":["Q1W2E3R4T5.a"]}}"#)
        let entry = #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a","Q1W2E3R4T5.a"],"components":[{"/":"/a"}]}]}}"#
        #expect(findings(entry).first?.message.hasSuffix("appears twice in \"appIDs\".") == true)
    }

    @Test("the finding on an app with several entries says what each reading means, with a URL that shows it")
    func severalEntries() throws {
        func message(_ first: String, _ second: String) throws -> String {
            let entries = [first, second].map { #"{"appIDs":["Q1W2E3R4T5.a"],"components":[\#($0)]}"# }
            let file = #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"#
            return try #require(findings(file).first { $0.code == .repeatedApp }).message
        }
        let told = try message(#"{"/":"/a"}"#, #"{"/":"/a"},{"/":"/b/*"}"#)
        #expect(told.hasSuffix("and /b/ would not open the app. If iOS tries all entries, it does."), "\(told)")
        let untold = try message(#"{"/":"/a*"}"#, #"{"/":"/ab"}"#)
        #expect(untold.hasSuffix("be ignored. If iOS tries all entries, these rules apply too."), "\(untold)")
    }

    @Test(
        "a variable name can have any character except $ ( )",
        arguments: [
            ("a*b", false), ("a?", false), ("a\\\\b", false), ("é ü", false), ("a(b", true), ("a$", true), ("", true),
        ])
    func variableNames(name: String, isFound: Bool) {
        let file =
            #"\#(Self.head)"components":[{"/":"/a"}]}],"substitutionVariables":{"\#(name)":["x"]}}}"#
        #expect(codes(file).contains("WM051") == isFound)
    }

    @Test("the finding names an HTML page and a trailing comma; a fix removes a byte order mark")
    func wholeFiles() throws {
        #expect(findings("\n<!doctype html>").first?.message.contains("HTML page") == true)
        #expect(findings("{\"a\":[1,]}").first?.remedy == "Remove the comma after the last element.")
        let file = #"{"webcredentials":{"apps":["Q1W2E3R4T5.a"]}}"#
        let marked = Array("\u{FEFF}\(file)".utf8)
        let finding = try #require(Association.lint(marked).findings.first)
        #expect(finding.code == .byteOrderMark)
        #expect(finding.fix?.applied(to: marked) == Array(file.utf8))
    }

    @Test("another letter case in the query, or an item that appears twice, gets past an exclusion")
    func evadedQueries() {
        func message(_ flags: String) -> String? {
            findings(
                #"\#(Self.head)"components":[{"/":"/1","?":{"web":"true"},"exclude":true\#(flags)},{"/":"/1"}]}]}}"#
            ).first { $0.code == .evadableExclude }?.message
        }
        #expect(message("")?.contains("the app opens /1/?web=True:") == true)
        #expect(message(#","caseSensitive":false"#)?.contains("the app opens /1/?web=true&web=:") == true)
    }

    @Test("the finding names what opens sensitive links; links that open because of a fault are not reported")
    func sensitiveLinks() {
        func messages(_ file: String) -> [String] {
            Association.lint(Array(file.utf8)).findings.filter { $0.code == .sensitiveLink }.map(\.message)
        }
        let rule = messages(#"\#(Self.head)"components":[{"/":"/.well-known/*"}]}]}}"#)
        #expect(rule.count == 1 && rule.allSatisfy { $0.hasPrefix("This rule opens") })
        #expect(messages(#"\#(Self.head)"note":1}]}}"#).first?.hasPrefix("This entry opens") == true)
        #expect(messages(#"{"applinks":{"apps":["Q1W2E3R4T5.a"]}}"#).first?.hasPrefix("This app opens") == true)
        #expect(messages(#"\#(Self.head)"components":["/a"]}]}}"#).isEmpty)
    }
}

import AASA
import StrictJSON
import Testing

@Suite struct LintTests {
    private func report(_ text: String, registered: Set<AppID>? = nil) -> [String] {
        Association.lint(Array(text.utf8), registered: registered, sensitive: []).findings
            .map { "\($0.code.rawValue) \($0.position?.description ?? "-") \($0.pointer)" }
    }

    private func details(_ entry: String) -> String { #"{"applinks":{"details":[\#(entry)]}}"# }

    @Test("Apple's documented example has one notice: its app ID is a sample")
    func clean() {
        let file = details(
            ##"{"appIDs":["ABCDE12345.com.example.app","ABCDE12345.com.example.app2"],"components":[{"#":"no_universal_links","exclude":true,"comment":"c"},{"/":"/buy/*"},{"/":"/help/website/*","exclude":true},{"/":"/help/*","?":{"articleNumber":"????"}}]}"##
        )
        #expect(report(file).map { $0.prefix(5) } == ["WM019"])
    }

    @Test(
        "files that cannot be read have one finding, with its place if there is one",
        arguments: [
            ("{\"applinks\":{},\n}", "WM001 2:1 "), ("", "WM001 1:1 "), ("[]", "WM002 - "), ("{\u{0}", "WM001 1:2 "),
        ])
    func unreadable(file: String, finding: String) { #expect(report(file) == [finding]) }

    @Test("a repeated key is reported at its second place")
    func duplicates() {
        let file =
            "{\"applinks\":{\"apps\":[],\"details\":[\n{\"appID\":\"Q1W2E3R4T5.a\",\"paths\":[\"/a\"],\n\"paths\":[\"/b\"]}]}}"
        #expect(report(file) == ["WM005 3:1 /applinks/details/0/paths"])
    }

    @Test("the limits for the size are exactly 128,000 and 131,072 bytes")
    func size() {
        func codes(_ size: Int) -> [String] {
            let head = #"{"webcredentials":{"apps":["Q1W2E3R4T5.a"]}"#
            let file = head + String(repeating: " ", count: size - head.utf8.count - 1) + "}"
            let report = Association.lint(Array(file.utf8))
            #expect(report.size == size)
            return report.findings.map(\.code.rawValue)
        }
        #expect(codes(98_304) == [])
        #expect(codes(98_305) == ["WM060"])
        #expect(codes(128_000) == ["WM060"])
        #expect(codes(128_001) == ["WM007", "WM060"])
        #expect(codes(131_072) == ["WM007", "WM060"])
        #expect(codes(131_073) == ["WM006", "WM060"])
        #expect(codes((1 << 20) + 1) == ["WM006"])
    }

    @Test(
        "wrong types are found everywhere",
        arguments: [
            (#"{"applinks":[]}"#, "/applinks"), (#"{"webcredentials":{"apps":"x"}}"#, "/webcredentials/apps"),
            (#"{"webcredentials":{"apps":[1]}}"#, "/webcredentials/apps/0"),
            (#"{"applinks":{"apps":{},"details":[]}}"#, "/applinks/apps"),
            (#"{"applinks":{"details":"x"}}"#, "/applinks/details"),
            (#"{"applinks":{"details":[1]}}"#, "/applinks/details/0"),
            (#"{"applinks":{"defaults":[]}}"#, "/applinks/defaults"),
            (#"{"applinks":{"substitutionVariables":[]}}"#, "/applinks/substitutionVariables"),
            (#"{"applinks":{"substitutionVariables":{"a":"x"}}}"#, "/applinks/substitutionVariables/a"),
            (#"{"applinks":{"substitutionVariables":{"a":[1]}}}"#, "/applinks/substitutionVariables/a/0"),
            (
                #"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","appIDs":"x","paths":["/a"]}]}}"#,
                "/applinks/details/0/appIDs"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a",2],"paths":["/a"]}]}}"#,
                "/applinks/details/0/appIDs/1"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"appID":1,"paths":["/a"]}]}}"#,
                "/applinks/details/0/appID"
            ),
            (#"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","paths":"/a"}]}}"#, "/applinks/details/0/paths"),
            (#"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","paths":[1]}]}}"#, "/applinks/details/0/paths/0"),
            (#"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","components":{}}]}}"#, "/applinks/details/0/components"),
            (
                #"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","components":["/a"]}]}}"#,
                "/applinks/details/0/components/0"
            ),
            (component(#""/":1"#), "/applinks/details/0/components/0/~1"),
            (component(##""#":null"##), "/applinks/details/0/components/0/#"),
            (component(#""?":1"#), "/applinks/details/0/components/0/?"),
            (component(#""?":{"a":1}"#), "/applinks/details/0/components/0/?/a"),
            (component(#""/":"/a","exclude":1"#), "/applinks/details/0/components/0/exclude"),
            (component(#""/":"/a","caseSensitive":"true""#), "/applinks/details/0/components/0/caseSensitive"),
            (component(#""/":"/a","percentEncoded":null"#), "/applinks/details/0/components/0/percentEncoded"),
            (component(#""/":"/a","comment":1"#), "/applinks/details/0/components/0/comment"),
            (
                #"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","paths":["/a"],"defaults":1}]}}"#,
                "/applinks/details/0/defaults"
            ),
            (
                #"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","paths":["/a"],"defaults":{"/":1}}]}}"#,
                "/applinks/details/0/defaults/~1"
            ),
        ])
    func wrongTypes(file: String, pointer: String) {
        let findings = Association.lint(Array(file.utf8), sensitive: []).findings.filter { $0.severity == .error }
        #expect(findings.map { "\($0.code.rawValue) \($0.pointer)" } == ["WM010 \(pointer)"])
        #expect(findings.allSatisfy { $0.position != nil })
    }

    private static func component(_ members: String) -> String {
        #"{"applinks":{"details":[{"appID":"Q1W2E3R4T5.a","components":[{\#(members)}]}]}}"#
    }

    @Test(
        "a rule after one that matches every URL has no effect",
        arguments: [
            (#"{}"#, true), (#"{"comment":"c"}"#, true), (#"{"/":"*"}"#, true), (#"{"/":"/*"}"#, true),
            (#"{"/":"/*","?":{"a":"*"}}"#, true),
            (##"{"?":"*","#":"**"}"##, true), (##"{"exclude":true}"##, true), (##"{"/":5}"##, true),
            (##"{"/":"/a*"}"##, false),
            (##"{"?":{"a":"?*"}}"##, false), (##"{"#":"?*"}"##, false), (##"{"/":"**"}"##, false),
            (##"{"?":""}"##, false),
            (#"{"/":"$(nope)"}"#, false),
        ])
    func deadRules(first: String, isDead: Bool) {
        let file = details(#"{"appID":"Q1W2E3R4T5.a","components":[\#(first),{"/":"/x"},{"/":"/y"}]}"#)
        let found = report(file).filter { $0.hasPrefix("WM020") || $0.hasPrefix("WM023") }
        let dead = found.map { $0.split(separator: " ").last ?? "" }
        #expect(dead == (isDead ? ["/applinks/details/0/components/1", "/applinks/details/0/components/2"] : []))
    }

    @Test("defaults count for whether a rule is unreachable")
    func defaultsCount() {
        let constrained =
            #"{"applinks":{"defaults":{"/":"/foo/*"},"details":[{"appID":"Q1W2E3R4T5.a","components":[{},{"/":"/x"}]}]}}"#
        #expect(report(constrained).map { $0.prefix(5) } == ["WM081"])
        let dead = #"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":["NOT *","/x"]}]}}"#
        #expect(report(dead).map { $0.prefix(5) } == ["WM023"])
    }

    @Test("an undefined variable or a missing closing parenthesis is found in all patterns")
    func variables() {
        let file =
            ##"{"applinks":{"substitutionVariables":{"food":["x"]},"defaults":{"#":"$(no1)"},"details":[{"appID":"Q1W2E3R4T5.a","defaults":{"?":"$(no2)"},"components":[{"/":"/$(food)/$(digit)/$(Food)"},{"?":{"q":"$(no3)"}},{"#":"$(food"},{"/":"/$x"}]},{"appID":"Q1W2E3R4T5.b","paths":["NOT /$(no4)"]}]}}"##
        let found = Association.lint(Array(file.utf8)).findings.filter {
            [.undefinedVariable, .unterminatedVariable].contains($0.code)
        }
        #expect(
            Set(found.map { "\($0.code.rawValue) \($0.pointer)" }) == [
                "WM021 /applinks/defaults/#", "WM021 /applinks/details/0/defaults/?",
                "WM021 /applinks/details/0/components/0/~1", "WM021 /applinks/details/0/components/1/?/q",
                "WM022 /applinks/details/0/components/2/#", "WM021 /applinks/details/1/paths/0",
            ])
    }

    @Test("an app that is not registered has one notice, and only if there is a registry")
    func registry() throws {
        let file =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a","Q1W2E3R4T5.b"],"components":[{"/":"/x"}]}]},"webcredentials":{"apps":["Q1W2E3R4T5.b"]}}"#
        #expect(report(file).isEmpty)
        #expect(report(file, registered: [try AppID("Q1W2E3R4T5.a")]) == ["WM015 1:51 /applinks/details/0/appIDs/1"])
    }

    @Test(
        "misspelled keys are distinguished from unknown ones",
        arguments: [
            ("compnents", "WM017"), ("Components", "WM017"), ("defautls", "WM017"), ("patterns", "WM017"),
            ("alwaysEnabled", "WM038"), ("_comment", "WM016"),
        ])
    func keys(key: String, code: String) {
        let file = details(#"{"appIDs":["Q1W2E3R4T5.a"],"paths":["/a"],"\#(key)":1}"#)
        let component = details(#"{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a"}],"\#(key)":1}"#)
        let found = report(key.lowercased().hasPrefix("comp") ? file : component).map { $0.prefix(5) }
        #expect(found == [code[...]])
    }

    @Test("findings are in the order of the text; a hostile file has no more than the limit")
    func orderAndLimit() {
        let file = #"{"webcredentials":{"apps":["x"]},"applinks":{"apps":["Q1W2E3R4T5.a"],"zz":1,"details":[1]}}"#
        #expect(
            Association.lint(Array(file.utf8)).findings.map(\.code.rawValue) == ["WM011", "WM031", "WM016", "WM010"])
        let hostile = #"{"webcredentials":{"apps":[\#(Array(repeating: "1", count: 3_000).joined(separator: ","))]}}"#
        let report = Association.lint(Array(hostile.utf8))
        #expect(report.findings.count == LintReport.limit)
        #expect(report.isTruncated)
    }

    @Test("a generated file is checked like any other, with places in its bytes")
    func generated() throws {
        let association = try Association(parsing: Array("{ \"applinks\" : { \"details\" : [ 1 ] } }".utf8))
        #expect(association.lint() == Association.lint(association.bytes))
        #expect(association.lint().findings.last?.position?.column == 25)
    }

    @Test(
        "every code has a page; its first example has the finding, its second has not",
        arguments: FindingCode.allCases)
    func pages(code: FindingCode) throws {
        let name = "\(code.rawValue.prefix(4))x/\(code.rawValue).md"
        let page = String(decoding: try Fixture.bytes("../../docs/findings/\(name)"), as: UTF8.self)
        #expect(page.hasPrefix("# \(code.rawValue): "))
        #expect(
            page.contains("**\(code.severity.rawValue.prefix(1).uppercased())\(code.severity.rawValue.dropFirst())**"))
        let index = String(decoding: try Fixture.bytes("../../docs/findings/README.md"), as: UTF8.self)
        #expect(index.contains("| [\(code.rawValue)](\(name)) | \(code.severity.rawValue) |"))
        let blocks = page.components(fencedAs: "json")
        // Some cannot be shown in a page: the file is not text, or too long.
        if [.otherEncoding, .signed, .tooLarge, .nearlyTooLarge, .notFullyAnalysed, .headroom].contains(code) {
            return #expect(blocks.isEmpty)
        }
        try #require(blocks.count == 2)
        let registry: Set<AppID> = [try AppID("ABCDE12345.com.example.app")]
        let findings = { (block: String) in
            guard code == .lostOnOldSystems else {
                return Association.lint(Array(block.utf8), registered: registry).findings
            }
            let draft = try Draft(json: JSONDocument(parsing: Array(block.utf8)).root, makeID: DraftTests.ids())
            return draft.lint(draft.association().bytes, registered: registry).findings
        }
        #expect(try findings(blocks[0]).contains { $0.code == code })
        let mended = try findings(blocks[1])
        // In `paths` every exclusion can be evaded.
        let others = mended.filter { $0.severity != .notice && $0.code != .evadableExclude }
        let worse = others + mended.filter { $0.code == code }
        #expect(worse.isEmpty, "\(worse.map { "\($0.code.rawValue) \($0.message)" })")
    }

    @Test("a report's JSON has the size, and the code, severity, place and texts of each finding")
    func json() throws {
        let findings = try #require(Association.lint(Array("[]".utf8)).json["findings"]?.array)
        #expect(
            findings.first?.object?.names == [
                "code", "severity", "pointer", "line", "column", "message", "remedy", "page", "fix",
            ])
        #expect(findings.first?["page"] == "/finding?code=WM002")
        #expect(findings.first?["fix"] == .null)
        #expect(findings.first?["code"] == "WM002")
        #expect(findings.first?["line"] == .null)
        let report = Association.lint(Array("{\"a\":1}".utf8)).json
        #expect(report["size"] == 7)
        #expect(report["findings"]?.array?.last?["column"] == 2)
    }

    @Test(
        "the whole corpus can be checked; each finding has texts and, except for whole files, a place",
        Corpus.condition)
    func corpus() throws {
        var counts: [String: Int] = [:]
        for file in try Corpus.files() {
            for finding in Association.lint(file.bytes).findings {
                counts[finding.code.rawValue, default: 0] += 1
                #expect(!finding.message.isEmpty && !finding.remedy.isEmpty)
                #expect(finding.position != nil || [.signed, .rootNotObject, .otherEncoding].contains(finding.code))
            }
        }
        for (code, count) in counts.sorted(by: { $0.key < $1.key }) { print("corpus findings: \(code) \(count)") }
        // 29 files of the folder are not JSON; two more are signed.
        #expect(counts["WM004"] == 2)
        #expect(counts["WM001"] == 31)
    }
}

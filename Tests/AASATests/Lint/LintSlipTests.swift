import AASA
import StrictJSON
import Testing

/// Findings on mistakes that every system accepts: patterns that match too little, IDs of other apps, copied rules.
@Suite struct LintSlipTests {
    private func findings(_ file: String) -> [String] {
        Association.lint(Array(file.utf8), sensitive: []).findings.map { "\($0.code.rawValue) \($0.pointer)" }
    }

    private func findings(components: String) -> [String] {
        findings(#"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[\#(components)]}]}}"#)
            .map { $0.replacing("/applinks/details/0/components/", with: "") }
    }

    @Test(
        "an item's pattern that matches only a missing item or one character has a notice",
        arguments: [
            (#"{"/":"/a","?":{"id":""}}"#, ["WM073 0/?/id"]), (#"{"/":"/a","?":{"id":"?"}}"#, ["WM073 0/?/id"]),
            (#"{"/":"/a","?":{"id":"??"}}"#, []), (#"{"/":"/a","?":{"id":"1"}}"#, []), (#"{"/":"/a","?":""}"#, []),
            (#"{"/":"/a","?":{"id":"?*"}}"#, []),
        ])
    func narrowItems(component: String, expected: [String]) { #expect(findings(components: component) == expected) }

    @Test(
        "a query that is only a name is compared with the whole query too",
        arguments: [
            ("id", ["WM070 0/?"]), ("id*", []), ("a?", []), ("a&b", []), ("$(digit)", []), ("id=", ["WM070 0/?"]),
        ])
    func bareName(query: String, expected: [String]) {
        #expect(findings(components: #"{"/":"/a","?":"\#(query)"}"#) == expected)
    }

    @Test("the finding on a whole query explains its effect on an exclusion")
    func wholeQuery() {
        func message(_ component: String) -> String {
            let file =
                #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[\#(component),{"/":"/b"}]}]}}"#
            return Association.lint(Array(file.utf8), sensitive: []).findings.first { $0.code == .queryAsText }?.message
                ?? ""
        }
        #expect(message(#"{"/":"/a","?":"a=1","exclude":true}"#).hasSuffix("a URL is not excluded."))
        #expect(message(#"{"/":"/a","?":"a=1"}"#).hasSuffix("a URL does not match."))
        #expect(message(#"{"/":"/a","?":"id"}"#).contains("?id alone"))
    }

    @Test(
        "app IDs that differ in one character have a notice if no service lists both",
        arguments: [
            ("Q1W2E3R4T5.com.a.shops", true), ("Q1W2E3R4T5.com.a.shpp", true), ("Q1W2E3R4T5.com.a.sop", true),
            ("Q1W2E3R4T5.com.a.Shop", true), ("Q1W2E3R4T6.com.a.shop", true), ("Q1W2E3R4T5.com.a.shop2", false),
            ("Q1W2E3R4T5.com.a.shop", false), ("Q1W2E3R4T5.com.a.shop.s", false), ("Q1W2E3R4T5.com.a.hsop", false),
            ("Q1W2E3R4T6.com.a.shops", false),
        ])
    func similarApps(app: String, isSimilar: Bool) {
        let links =
            #""applinks":{"details":[{"appIDs":["Q1W2E3R4T5.com.a.shop"],"components":[{"/":"/a"}]}]}"#
        let found = findings(#"{\#(links),"webcredentials":{"apps":["\#(app)"]}}"#)
        #expect(found == (isSimilar ? ["WM074 /webcredentials/apps/0"] : []))
        // One service lists both: they are two apps.
        let both =
            #"{\#(links),"webcredentials":{"apps":["\#(app)"]},"appclips":{"apps":["\#(app)","Q1W2E3R4T5.com.a.shop"]}}"#
        #expect(!findings(both).contains { $0.hasPrefix("WM074") })
    }

    @Test("a prefix of digits has one warning, a sample prefix a notice")
    func numbers() {
        #expect(
            findings(
                #"{"webcredentials":{"apps":["6479632616.a","6479632616.b"]},"appclips":{"apps":["6479632616.a"]}}"#)
                == ["WM075 /webcredentials/apps/0"])
        #expect(findings(#"{"appclips":{"apps":["1234567890.a"]}}"#) == ["WM019 /appclips/apps/0"])
        #expect(findings(#"{"appclips":{"apps":["647963261A.a"]}}"#) == [])
        #expect(findings(#"{"appclips":{"apps":["9JA89QQLNQ.com.apple.wwdc"]}}"#) == ["WM019 /appclips/apps/0"])
    }

    @Test("rules of Apple's example have a notice, except plausible ones and those with a sample app ID")
    func samples() {
        let help = #"{"/":"/help/website/*","exclude":true,"comment":"c"},{"/":"/a"}"#
        let findings = { (components: String) in
            self.findings(components: components).filter { !$0.hasPrefix("WM063") }
        }
        #expect(findings(help) == ["WM076 0"])
        #expect(findings(#"{"/":"/buy/*"},\#(help)"#) == ["WM076 0"])
        #expect(findings(#"{"/":"/help/*","?":{"articleNumber":"????"}}"#) == ["WM076 0"])
        #expect(findings(#"{"/":"/buy/*"},{"/":"/help/website/*"},{"/":"/help/*"}"#) == [])
        #expect(findings(#"{"/":"/buy/*"}"#) == [])
        let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[\#(help)]}]}}"#
        #expect(self.findings(file).first == "WM019 /applinks/details/0/appIDs/0")
        #expect(!self.findings(file).contains { $0.hasPrefix("WM076") })
    }

    @Test(
        "defaults that concern paths have a warning, once for the file and once for each entry",
        arguments: [
            (#""caseSensitive":false"#, true), (#""?":{"a":"1"}"#, true), (#""exclude":false"#, true),
            (#""/":"/a/*""#, false), (#""comment":"c""#, false),
        ])
    func defaults(member: String, isOpen: Bool) {
        let entry = { (id: String, own: String) in #"{"appID":"\#(id)","paths":["/\#(id)"]\#(own)}"# }
        // WM081, a pattern in `defaults`, is another finding.
        let findings = { (file: String) in self.findings(file).filter { !$0.hasPrefix("WM081") } }
        let whole = findings(
            #"{"applinks":{"apps":[],"defaults":{\#(member)},"details":[\#(entry("Q1W2E3R4T5.a", "")),\#(entry("Q1W2E3R4T5.b", ""))]}}"#
        )
        #expect(whole == (isOpen ? ["WM077 /applinks/defaults"] : []))
        let own = findings(
            #"{"applinks":{"apps":[],"details":[\#(entry("Q1W2E3R4T5.a", ",\"defaults\":{\(member)}"))]}}"#)
        #expect(own == (isOpen ? ["WM077 /applinks/details/0/defaults"] : []))
        let components = findings(
            #"{"applinks":{"defaults":{\#(member)},"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/b"}]}]}}"#
        )
        #expect(components == [])
    }

    @Test(
        "the finding on a file of paths that iOS 9 to 12 reject says why",
        arguments: [
            (#""details":[{"appID":"Q1W2E3R4T5.a","paths":["/a"]}]"#, ["WM034 /applinks"]),
            (#""apps":[],"details":[{"appIDs":["Q1W2E3R4T5.a"],"paths":["/a"]}]"#, ["WM034 /applinks/details/0"]),
            (#""apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":["/a"]}]"#, []),
            // Another finding reports it.
            (#""apps":["Q1W2E3R4T5.a"],"details":[{"appID":"Q1W2E3R4T5.a","paths":["/a"]}]"#, ["WM031 /applinks/apps"]),
            (#""apps":[],"details":[{"paths":["/a"]}]"#, ["WM012 /applinks/details/0"]),
            // For iOS 13 and later only.
            (#""details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a"}]}]"#, []),
            (#""apps":[],"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a"}]}]"#, []),
        ])
    func pathsAlone(applinks: String, expected: [String]) {
        #expect(findings(#"{"applinks":{\#(applinks)}}"#) == expected)
    }

    @Test(
        "an unknown key with apps can be a service of Apple's; one with details is meant as applinks",
        arguments: [
            (#"{"other":{"apps":[]}}"#, ["WM008 ", "WM016 /other"]), (#"{"other":{"apps":["Q1W2E3R4T5.a"]}}"#, []),
            (#"{"linksdemo":{"apps":[],"details":[]}}"#, ["WM008 ", "WM017 /linksdemo"]),
            (#"{"linksdemo":{"details":[]},"applinks":{}}"#, ["WM016 /linksdemo", "WM037 /applinks"]),
        ])
    func services(file: String, expected: [String]) { #expect(findings(file) == expected) }
}

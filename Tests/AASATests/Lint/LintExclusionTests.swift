import AASA
import StrictJSON
import Testing

/// Findings on exclusions that depend on the rules before and after them.
@Suite struct LintExclusionTests {
    private static let flags = #""exclude":true,"caseSensitive":false,"percentEncoded":false"#

    private func findings(_ components: String) -> [Finding] {
        let file = #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[\#(components)]}]}}"#
        return Association.lint(Array(file.utf8), sensitive: []).findings
    }

    private func codes(_ components: String) -> [String] {
        findings(components).filter { $0.code != .evadableExclude }.map {
            "\($0.code.rawValue) \($0.pointer.tokens.last ?? "")"
        }
    }

    @Test("a wildcard of fixed length that opens URLs of a later exclusion has a warning")
    func openingWildcard() throws {
        let components = #"{"/":"/????????????"},{"/":"/fortune/*","exclude":true},{"/":"/f*"}"#
        let finding = try #require(findings(components).first { $0.code == .openingWildcard })
        #expect(finding.severity == .warning)
        #expect(finding.pointer.tokens.last == "0")
        #expect(finding.message.contains("/fortune/xxxx"), "\(finding.message)")
        #expect(finding.message.contains("The later exclusion, rule 2,"))
    }

    @Test(
        "an exclusion with URLs that an earlier rule opens is found, unless the rule is an exception to it",
        arguments: [
            (#"{"/":"*/share"},{"/":"/adm/*","exclude":true},{"/":"/a*"}"#, ["WM084 1"]),
            (#"{"/":"/adm/help"},{"/":"/adm/*","exclude":true},{"/":"/a*"}"#, []),
            (#"{"/":"/adm/?"},{"/":"/adm/*","exclude":true},{"/":"/a*"}"#, []),
            (#"{"/":"*/share"},{"/":"/adm/*",\#(flags)},{"/":"/a*"}"#, ["WM084 1"]),
            (#"{"/":"/adm/help"},{"/":"/adm/*",\#(flags)},{"/":"/a*"}"#, []),
            (#"{"/":"/b/*"},{"/":"/adm/*","exclude":true},{"/":"/a*"}"#, []),
            (#"{"/":"/adm/*","exclude":true},{"/":"*/share"},{"/":"/a*"}"#, []),
            (#"{"/":"/a/*","?":{"x":"1"}},{"/":"/a/*","?":{"y":"1"},"exclude":true},{"/":"/a/*"}"#, ["WM084 1"]),
            (#"{"/":"/a/*"},{"/":"/a/b","exclude":true},{"/":"/a*"}"#, ["WM023 1"]),
        ])
    func overlapped(components: String, expected: [String]) { #expect(codes(components) == expected) }

    @Test(
        "an exclusion is idle only if no later rule can open a URL that it matches",
        arguments: [
            (#"{"/":"/a/*","exclude":true},{"/":"/b/*"}"#, ["WM063 0"]),
            (#"{"/":"/a/*","exclude":true},{"/":"/A/*"}"#, []),
            (#"{"/":"/a/*","exclude":true},{"/":"/a*"}"#, []),
            (#"{"/":"/a/*","exclude":true},{"/":"*/b"}"#, []), (#"{"/":"*/b","exclude":true},{"/":"/a/*"}"#, []),
            (#"{"/":"/a/*","exclude":true},{"/":"/?/*"}"#, []),
            (#"{"/":"/a/*","exclude":true},{"/":"/$(lower)/*"}"#, []),
            (#"{"/":"/a/*","exclude":true},{"?":{"q":"1"}}"#, []),
            (#"{"/":"/a/*","exclude":true},{"/":"/%61/x","percentEncoded":false}"#, ["WM029 /", "WM056 /"]),
            (#"{"/":"/a","exclude":true},{"/":"/b"},{"/":"/c","exclude":true}"#, ["WM063 0"]),
            (#"{"/":"/b","exclude":true},{"/":"/b*"},{"/":"/c","exclude":true}"#, ["WM063 2"]),
        ])
    func idle(components: String, expected: [String]) { #expect(codes(components) == expected) }

    @Test("removing an idle exclusion changes the result of no URL")
    func idleProperty() throws {
        var random = SeededRandom(seed: 31)
        var seen = 0
        for _ in 0..<800 {
            let file = RandomFiles.association(&random)
            let found = Association.lint(file.bytes, sensitive: []).findings.filter { $0.code == .idleExclusion }
            for finding in found where finding.pointer.tokens.contains("components") {
                seen += 1
                guard let place = finding.pointer.tokens.last.flatMap(Int.init), let list = finding.pointer.parent,
                    let rules = JSONValue.object(file.root)[list]?.array, let entry = list.parent
                else { continue }
                var without = file.root
                without.replace(entry, components: rules.enumerated().filter { $0.offset != place }.map(\.element))
                let other = Association(root: without)
                for _ in 0..<40 {
                    let url = RandomFiles.url(&random)
                    #expect(file.evaluate(url).app == other.evaluate(url).app, "\(finding.pointer) \(url)")
                }
            }
        }
        #expect(seen > 5)
    }

    @Test("many overlapping rules and exclusions stay within the budget")
    func hostile() {
        let rules = (0..<1_500).flatMap {
            [#"{"/":"/*a\#($0)b*"}"#, #"{"/":"/*c\#($0)d*","exclude":true}"#]
        }.joined(separator: ",")
        #expect(findings(rules).contains { $0.code == .notFullyAnalysed })
    }
}

extension JSONObject {
    fileprivate mutating func replace(_ entry: JSONPointer, components: [JSONValue]) {
        guard let index = entry.tokens.last.flatMap(Int.init), var applinks = self["applinks"]?.object,
            var details = applinks["details"]?.array, details.indices.contains(index),
            var object = details[index].object
        else { return }
        object["components"] = .array(components)
        details[index] = .object(object)
        applinks["details"] = .array(details)
        self["applinks"] = .object(applinks)
    }
}

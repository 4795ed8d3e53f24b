import AASA
import StrictJSON
import Testing

@Suite("Difference of two files")
struct DifferenceTests {
    private static func file(_ components: JSONValue, _ more: JSONObject = [:]) -> Association {
        var applinks: JSONObject = ["details": [["appIDs": ["ABCDE12345.a"], "components": components]]]
        for member in more.members { applinks[member.name] = member.value }
        return Association(root: ["applinks": .object(applinks)])
    }

    /// Each change of a rule in a line: `changed 0>1 path,exclude`, with the rule's indices in the only entry.
    private static func lines(_ difference: Difference) -> [String] {
        difference.rules.map { rule in
            let (from, to) = (rule.from?.tokens.last ?? "-", rule.to?.tokens.last ?? "-")
            let parts = rule.parts.map(\.part.rawValue).joined(separator: ",")
            return "\(rule.kind.rawValue) \(from)>\(to)" + (parts.isEmpty ? "" : " \(parts)")
        }
    }

    private static let rulePairs: [(before: JSONValue, after: JSONValue, expected: [String])] = [
        ([["/": "/a"]], [["/": "/a"], ["/": "/b/c/d"]], ["added ->1"]),
        ([["/": "/b/c/d"], ["/": "/a"]], [["/": "/a"]], ["removed 0>-"]),
        // As few rules as possible are reported as moved: one, not two.
        ([["/": "/a"], ["/": "/b"], ["/": "/c"]], [["/": "/c"], ["/": "/a"], ["/": "/b"]], ["moved 2>0"]),
        ([["/": "/a"]], [["/": "/a", "exclude": true]], ["changed 0>0 exclude"]),
        ([["/": "/a"], ["/": "/b"]], [["/": "/b"], ["/": "/a", "exclude": true]], ["changed 0>1 exclude"]),
        ([["/": "/help/*"]], [["/": "/helps/*"]], ["changed 0>0 path"]),
        ([["/": "/help/*"]], [["/": "/shop"]], ["added ->0", "removed 0>-"]),
        ([["/": "/Help/*"]], [["/": "/Help/*", "caseSensitive": false]], ["changed 0>0 caseSensitive"]),
        ([["/": "/a", "?": "x"]], [["/": "/a", "?": ["x": "1"]]], ["changed 0>0 query"]),
        ([["/": "/a", "#": "x"]], [["/": "/a"]], ["changed 0>0 fragment"]),
        ([["/": "/a", "comment": "x"]], [["/": "/a", "comment": "y"]], ["same_meaning 0>0 comment"]),
        ([["/": "/a"]], [["/": "/a", "odd": 1]], ["same_meaning 0>0 extras"]),
        ([["/": "/a"]], [["/": "a/"]], ["same_meaning 0>0 path"]),
        ([["/": "*"]], [[:]], ["same_meaning 0>0 path"]),
        ([["/": "/a"]], [["/": "/a", "?": ["q": "*"], "#": "*"]], ["same_meaning 0>0 query,fragment"]),
        ([["/": "/A", "caseSensitive": false]], [["/": "/a", "caseSensitive": false]], ["same_meaning 0>0 path"]),
        ([["/": "/$(A)", "caseSensitive": false]], [["/": "/$(a)", "caseSensitive": false]], ["changed 0>0 path"]),
        (
            [["/": "/a"]], [["/": "/a", "exclude": false, "caseSensitive": true, "percentEncoded": true]],
            ["same_meaning 0>0 exclude,caseSensitive,percentEncoded"]
        ),
        (
            [["/": "/a"], ["/": "/b", "comment": "x"]], [["/": "/b"], ["/": "/a"]],
            ["same_meaning 1>0 comment", "moved 0>1"]
        ),
    ]

    @Test("a rule is added, removed, moved, changed in some parts, or has the same meaning", arguments: rulePairs)
    func rules(before: JSONValue, after: JSONValue, expected: [String]) {
        #expect(Self.lines(Self.file(before).difference(to: Self.file(after))) == expected)
    }

    @Test("moving a flag from the rules to defaults changes no meaning; adding one to defaults does")
    func defaults() throws {
        let plain = Self.file([["/": "/a", "caseSensitive": false], ["/": "/b", "caseSensitive": false]])
        let merged = Self.file([["/": "/a"], ["/": "/b"]], ["defaults": ["caseSensitive": false]])
        let same = plain.difference(to: merged)
        #expect(Self.lines(same) == ["same_meaning 0>0 caseSensitive", "same_meaning 1>1 caseSensitive"])
        #expect(same.outcomes.isEmpty)
        let change = try #require(same.defaults.first)
        #expect(change.to?.description == "/applinks/defaults")
        #expect(change.key == "caseSensitive")
        #expect(change.before == nil)
        #expect(change.after == false)
        let bare = Self.file([["/": "/a"], ["/": "/b"]])
        let changed = bare.difference(to: merged)
        #expect(Self.lines(changed) == ["changed 0>0 caseSensitive", "changed 1>1 caseSensitive"])
        #expect(changed.rules.first?.parts.first?.before == true)
        #expect(changed.rules.first?.parts.first?.after == false)
        #expect(changed.outcomes.contains { $0.url == "/A" && $0.after.outcome == .opens })
    }

    @Test("a path and a component with the same meaning differ only in form")
    func form() throws {
        let old = try Association(
            parsing: Array(#"{"applinks":{"details":[{"appID":"ABCDE12345.a","paths":["NOT /a","*"]}]}}"#.utf8))
        let new = Self.file([["/": "/a", "exclude": true], [:]])
        let difference = old.difference(to: new)
        #expect(Self.lines(difference) == ["same_meaning 0>0 form", "same_meaning 1>1 form"])
        #expect(
            difference.other.map { $0.to ?? $0.from }.map { $0?.description } == [
                "/applinks/details/0/appIDs", "/applinks/details/0/appID",
            ])
        #expect(difference.outcomes.isEmpty)
        #expect(difference.apps.isEmpty)
    }

    @Test("entries are identified by their apps; added, removed and reordered apps are reported")
    func entries() {
        func file(_ entries: [(apps: [String], path: String)]) -> Association {
            let details = entries.map { entry -> JSONValue in
                ["appIDs": .array(entry.apps.map { .string($0) }), "components": [["/": .string(entry.path)]]]
            }
            return Association(root: ["applinks": ["details": .array(details)]])
        }
        func lines(_ difference: Difference) -> [String] {
            difference.entries.map {
                "\($0.kind.rawValue) \($0.from?.tokens.last ?? "-")>\($0.to?.tokens.last ?? "-")"
            }
        }
        let (a, b, c) = ("ABCDE12345.a", "ABCDE12345.b", "ABCDE12345.c")
        let two = file([([a], "/a"), ([b], "/b")])
        let swapped = two.difference(to: file([([b], "/b"), ([a], "/a")]))
        #expect(lines(swapped).count == 1)
        #expect(swapped.entries.first?.kind == .moved)
        #expect(swapped.rules.isEmpty)
        #expect(swapped.apps.isReordered)
        let more = two.difference(to: file([([a], "/a"), ([b, c], "/b")]))
        #expect(lines(more) == ["changed 1>1"])
        #expect(more.apps.added == [c])
        #expect(more.apps.removed.isEmpty && !more.apps.isReordered)
        // An app was replaced: the rules are the same.
        let replaced = two.difference(to: file([([a], "/a"), ([c], "/b")]))
        #expect(lines(replaced) == ["changed 1>1"])
        #expect(replaced.rules.isEmpty)
        #expect(replaced.apps.added == [c] && replaced.apps.removed == [b])
        #expect(replaced.outcomes.first { $0.url == "/b" }?.after.app == c)
        let gone = two.difference(to: file([([b], "/b")]))
        #expect(lines(gone) == ["removed 0>-"])
        #expect(gone.rules.map(\.kind) == [.removed])
        #expect(gone.rules.first?.apps == [a])
    }

    @Test("changed services, variables and unknown keys are reported")
    func rest() throws {
        func association(_ text: String) throws -> Association { try Association(parsing: Array(text.utf8)) }
        let old = try association(
            #"{"webcredentials":{"apps":["ABCDE12345.a","ABCDE12345.b"],"odd":{"x":1,"y":1}},"gone":1,"applinks":{"substitutionVariables":{"v":["1"],"w":["2"]},"details":[{"appIDs":["ABCDE12345.a"],"odd":1,"components":[]}]}}"#
        )
        let new = try association(
            #"{"webcredentials":{"apps":["ABCDE12345.b","ABCDE12345.c"],"odd":{"x":1,"y":2}},"appclips":{"apps":["ABCDE12345.d"]},"applinks":{"substitutionVariables":{"v":["1","2"],"w":["2"]},"details":[{"appIDs":["ABCDE12345.a"],"odd":2,"components":[]},7]}}"#
        )
        let difference = old.difference(to: new)
        #expect(difference.services.map(\.service) == ["webcredentials", "appclips"])
        #expect(difference.services.map(\.added) == [["ABCDE12345.c"], ["ABCDE12345.d"]])
        #expect(difference.services.map(\.removed) == [["ABCDE12345.a"], []])
        #expect(difference.variables.map(\.name) == ["v"])
        #expect(difference.variables.first?.after == ["1", "2"])
        #expect(
            difference.other.map { ($0.to ?? $0.from)?.description } == [
                "/applinks/details/0/odd", "/webcredentials/odd/y", "/gone", "/applinks/details",
            ])
        #expect(difference.rules.isEmpty && difference.outcomes.isEmpty)
    }

    @Test(
        "variables are compared by their values, so a string equals a list with that string",
        arguments: [
            ("x", ["x"], true), (["x", 1], ["x"], true), (["x", "$(y)"], ["x"], true), ("x", ["y"], false),
            (["x"], ["x", "y"], false), ([], 1, false), ("x", nil, false),
        ] as [(JSONValue, JSONValue, Bool)])
    func variableValues(before: JSONValue, after: JSONValue, isSame: Bool) {
        let files = [before, after].map { Self.file([["/": "/$(v)"]], ["substitutionVariables": ["v": $0]]) }
        let difference = files[0].difference(to: files[1])
        #expect(difference.variables.isEmpty == isSame)
        #expect(difference.isWithoutEffect == isSame && !difference.isEmpty)
        let place = JSONPointer(tokens: ["applinks", "substitutionVariables", "v"])
        #expect(difference.other.map(\.to) == (isSame ? [place] : []))
    }

    @Test("a value added to a variable appears as a URL that now opens the app")
    func variableOutcomes() {
        let rules: JSONValue = [["/": "/$(shop)/*"]]
        let old = Self.file(rules, ["substitutionVariables": ["shop": ["berlin", "paris"]]])
        let new = Self.file(rules, ["substitutionVariables": ["shop": ["berlin", "paris", "oslo"]]])
        let difference = old.difference(to: new)
        #expect(difference.rules.isEmpty)
        #expect(difference.outcomes.map(\.url).contains("/oslo/x"))
        #expect(difference.outcomes.allSatisfy { $0.before.outcome == .none && $0.after.outcome == .opens })
    }

    @Test("a new rule that is never reached is reported, but changes no outcome")
    func withoutOutcome() {
        // The second rule is never reached.
        let difference = Self.file([[:]]).difference(to: Self.file([[:], ["/": "/a", "exclude": true]]))
        #expect(Self.lines(difference) == ["added ->1"])
        #expect(difference.outcomes.isEmpty)
        #expect(difference.urls.tried > 5)
        #expect(!difference.isEmpty)
    }

    @Test("given URLs are tried first, and their outcomes have the app and the rule")
    func given() throws {
        let old = Self.file([["/": "/help/*"]])
        let new = Self.file([["/": "/help/website/*", "exclude": true], ["/": "/help/*"]])
        let url = "https://www.example.com/help/website/contact"
        let difference = old.difference(to: new, urls: [url, "/help/other", "ftp://x.example/"], samples: 0)
        #expect(difference.urls == old.difference(to: new, urls: [url, "/help/other", "/"], samples: 0).urls)
        #expect(difference.urls.tried == 3 && difference.urls.given == 3 && difference.urls.changed == 1)
        let outcome = try #require(difference.outcomes.first)
        #expect(difference.outcomes.count == 1)
        #expect(outcome.url == url && outcome.isGiven)
        #expect(outcome.before.app == "ABCDE12345.a")
        #expect(outcome.before.decidedBy?.description == "/applinks/details/0/components/0")
        #expect(outcome.after.outcome == .excluded && outcome.after.app == nil)
        #expect(outcome.after.decidedBy?.description == "/applinks/details/0/components/0")
        #expect(outcome.apps.map(\.app) == ["ABCDE12345.a"])
    }

    @Test("a system that does not know a key has no difference because of it")
    func systems() {
        let old = Self.file([["/": "/a"]])
        let new = Self.file([["/": "/a", "caseSensitive": false]])
        let difference = old.difference(to: new, systems: [.ios13, .ios14])
        #expect(Set(difference.outcomes.map(\.system)) == [.ios14])
        #expect(old.difference(to: new, systems: [.ios13]).outcomes.isEmpty)
        #expect(Self.lines(old.difference(to: new, systems: [.ios13])) == ["same_meaning 0>0 caseSensitive"])
    }

    @Test("the JSON has the documented keys and values")
    func json() {
        let json = Self.file([["/": "/a"]]).difference(to: Self.file([["/": "/a", "exclude": true]])).json
        #expect(
            json.object?.names == [
                "rules", "entries", "apps", "services", "variables", "defaults", "other", "outcomes", "urls", "systems",
                "isEmpty", "isTruncated",
            ])
        let expected: JSONValue = [
            "change": "changed", "from": "/applinks/details/0/components/0", "to": "/applinks/details/0/components/0",
            "apps": ["ABCDE12345.a"], "before": ["/": "/a"], "after": ["/": "/a", "exclude": true],
            "parts": ["exclude"], "values": [["part": "exclude", "before": false, "after": true]],
        ]
        #expect(json["rules"]?[0] == expected)
        #expect(json["outcomes"]?[0]?["url"] == "/a")
        #expect(json["outcomes"]?[0]?["apps"]?[0]?["after"]?["outcome"] == "excluded")
        #expect(json["isEmpty"] == false)
    }

    /// The report as text: mark, space, line.
    private static func text(_ difference: Difference) -> [String] {
        difference.report.map { "\($0.mark.rawValue) \($0.text)" }
    }

    @Test("the report for people shows each change with the values before and after")
    func report() {
        let old = Self.file([["/": "/help/*"], ["/": "/old"]])
        let new = Self.file([["/": "/help/website/*", "exclude": true], ["/": "/help/*", "caseSensitive": false]])
        let difference = old.difference(to: new, urls: ["/help/website/x"], samples: 0)
        #expect(
            Self.text(difference) == [
                "  Rules",
                #"+ /applinks/details/0/components/0  {"/":"/help/website/*","exclude":true}"#,
                "~ /applinks/details/0/components/1  changed, was /applinks/details/0/components/0",
                "-     caseSensitive: true", "+     caseSensitive: false",
                #"- /applinks/details/0/components/1  {"/":"/old"}"#,
                "  URLs", "~ /help/website/x",
                "-     opens ABCDE12345.a, by /applinks/details/0/components/0",
                "+     opens in the browser: excluded, by /applinks/details/0/components/0",
                "  Compared for iOS 14 and later.", "  1 of 1 URL tried changes.",
            ])
    }

    @Test("the report names some of the values that a variable gains and loses")
    func variableReport() {
        func lines(_ before: JSONValue?, _ after: JSONValue?) -> [String] {
            func file(_ values: JSONValue?) -> Association {
                Self.file([], ["substitutionVariables": values.map { ["v": $0] } ?? [:]])
            }
            return Self.text(file(before).difference(to: file(after), samples: 0)).filter { $0.contains("$(v)") }
        }
        #expect(lines(["a", "b"], ["b", "c", "d"]) == [#"- $(v): "a""#, #"+ $(v): "c", "d""#])
        #expect(lines(nil, ["a"]) == [#"+ $(v): "a""#])
        #expect(lines(["a", "b"], ["b", "a"]) == ["~ $(v): the same values in a different order or number"])
        #expect(lines([], nil) == ["- $(v): no values"])
        #expect(lines("a", ["a"]) == [])
        #expect(lines("a", ["a", "b"]) == [#"+ $(v): "b""#])
        #expect(lines(["a"], 1) == [#"- $(v): ["a"]"#, "+ $(v): 1"])
        let names = (1...20).map { #""\#($0)""# }.joined(separator: ", ")
        #expect(lines(nil, .array((1...5_000).map { .string("\($0)") })) == ["+ $(v): \(names) and 4980 more"])
        let long = String(repeating: "x", count: 1_001)
        #expect(lines(nil, .string(long)) == [#"+ $(v): "\#(long.prefix(999))…"#])
    }

    @Test("the cost of variables with many and long values does not explode", .timeLimit(.minutes(1)))
    func variablesUsedOften() {
        let uses = JSONValue.string("/" + String(repeating: "$(v)", count: 20_000))
        func file(_ values: [JSONValue]) -> Association {
            Self.file([["/": uses]], ["substitutionVariables": ["v": .array(values)]])
        }
        // Counting the values for each use would take 400 million steps; inserting them would take 2 gigabytes.
        let many = file((0..<20_000).map { .string("\($0)") })
        #expect(Self.file([]).difference(to: many, samples: 5).rules.count == 1)
        let long = file([.string(String(repeating: "x", count: 100_000))])
        #expect(Self.file([]).difference(to: long, samples: 5).rules.count == 1)
    }

    @Test("the summary distinguishes changed rules, changed outcomes, changed spelling and no change")
    func summaries() {
        let old = Self.file([["/": "/$(v)"]], ["substitutionVariables": ["v": ["1"]]])
        func last(_ new: Association) -> String {
            Self.text(old.difference(to: new, urls: ["/2"], samples: 0)).last ?? ""
        }
        #expect(last(old) == "  The files have the same content.")
        let rules: JSONValue = [["/": "/$(v)"], ["/": "/3"]]
        #expect(
            last(Self.file(rules, ["substitutionVariables": ["v": ["1"]]]))
                == "  The files differ, but none of 1 URL tried changes.")
        #expect(
            last(Self.file([["/": "/$(v)"]], ["substitutionVariables": ["v": ["1", "2"]]]))
                == "  No rule changes its meaning: the apps, their order or the variables differ.")
        #expect(
            last(Self.file([["/": "/$(v)/"]], ["substitutionVariables": ["v": ["1"]]]))
                == "  None of 1 URL tried changes.")
    }

    @Test("the report names the compared systems, which include iOS 9 to 12 if a file serves them")
    func namedSystems() {
        let new = Self.file([["/": "/a"]])
        let old = Association(
            root: ["applinks": ["apps": [], "details": [["appID": "ABCDE12345.a", "paths": ["/b"]]]]])
        func sentence(_ systems: [SystemVersion]) -> Bool {
            let lines = Self.text(old.difference(to: new, systems: systems))
            return lines.contains("  Compared for \(systems.map(\.words).joined(separator: " and for ")).")
        }
        #expect(old.systemsToCompare(with: new) == [.latest, .ios9])
        #expect(new.systemsToCompare(with: old) == [.latest, .ios9])
        #expect(new.systemsToCompare(with: new) == [.latest])
        #expect(sentence([.latest, .ios9]))
        #expect(sentence([.ios13]))
    }

    @Test("a file cannot control the terminal")
    func controlCharacters() {
        let app = "ABCDE12345.\u{1B}[31m\u{9B}0m"
        let new = Association(root: ["applinks": ["details": [["appIDs": [.string(app)]]]], "\u{7F}": 1])
        let report = Self.file([]).difference(to: new).report
        #expect(report.contains { $0.text == #"ABCDE12345.\u{1b}[31m\u{9b}0m"# })
        #expect(report.allSatisfy { $0.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
    }

    @Test("a comparison that takes too long stops at its budget and says so")
    func budget() {
        let stars = (0..<20).map {
            JSONValue.object(["/": .string("/\($0)" + String(repeating: "*a", count: 1_000) + "b")])
        }
        let difference = Self.file(.array(stars)).difference(to: Self.file(.array(stars.reversed())), steps: 2_000_000)
        #expect(difference.isTruncated)
        #expect(difference.rules.count == 19)
        let many = Self.file(.array(Array(repeating: [:], count: 3_000)))
        let more = Self.file(.array((0..<6_000).map { $0 % 2 == 0 ? [:] : ["/": .string("/\($0)")] }))
        let cut = many.difference(to: more, samples: 10)
        #expect(cut.isTruncated && !cut.rules.isEmpty)
    }
}

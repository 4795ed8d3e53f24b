import StrictJSON
import Testing

@testable import AASA

@Suite struct ImportTests {
    /// Files in many shapes, real and invented, each with a part that an import changes.
    private static let shapes = Fixture.lines("Fixtures/import-shapes.jsonl")

    private static let systems: [SystemVersion] = [.ios13, .ios13point5, .ios14]

    private func imported(_ association: Association) -> (draft: Draft, report: ImportReport) {
        Draft.importing(association, makeID: DraftTests.ids())
    }

    @Test("all shapes are in the fixture")
    func present() { #expect(Self.shapes.count == 30) }

    @Test("the report names every change in the generated file", arguments: shapes)
    func nothingSilent(file: String) throws {
        expectNothingSilent(try Association(parsing: Array(file.utf8)), file)
    }

    @Test("the report names every change for the corpus", Corpus.condition)
    func corpus() throws {
        for file in try Corpus.associations() { expectNothingSilent(file.association, file.name) }
    }

    @Test("the generated file has the same meaning on iOS 13 and later", arguments: shapes)
    func meaning(file: String) throws {
        let association = try Association(parsing: Array(file.utf8))
        expectSameMeaning(association, file)
    }

    @Test("the generated file has the same meaning for every file of the corpus", Corpus.condition)
    func corpusMeaning() throws {
        var urls = 0
        for file in try Corpus.associations() { urls += expectSameMeaning(file.association, file.name) }
        print("import: \(urls) URLs compared")
        #expect(urls > 20_000)
    }

    @Test("importing a generated file changes nothing", arguments: shapes)
    func stable(file: String) throws {
        let first = imported(try Association(parsing: Array(file.utf8))).draft.association()
        let (again, report) = imported(first)
        #expect(again.association() == first)
        #expect(report.items.allSatisfy { $0.action == .kept }, "\(report.items)")
    }

    @Test("the report says what happened to each part")
    func report() throws {
        let file =
            #"{"applinks":{"apps":[],"details":[{"appID":"ABCDE12345.a","paths":["NOT /a","/b"],"components":[{"/":"/c","comment":"x"}],"odd":1}]}}"#
        let (draft, report) = imported(try Association(parsing: Array(file.utf8)))
        #expect(
            report.items.map { "\($0.action.rawValue) \($0.pointer)" } == [
                "kept /applinks/details/0/odd", "changed /applinks/details/0/appID",
                "kept /applinks/details/0/components/0/comment", "changed /applinks/details/0/paths",
            ])
        #expect(draft.entries.first?.extras == ["odd": 1])
        #expect(draft.entries.first?.rules?.first?.comment == "x")
    }

    @Test(
        "an impossible app ID is left out and reported at its place, in every form of the entry",
        arguments: [
            (#"{"":{"paths":["/a"]}}"#, "/applinks/details/"),
            (#"[{"appID":"","paths":["/a"]}]"#, "/applinks/details/0/appID"),
            (#"[{"appIDs":["ABCDE12345.a",""],"components":[]}]"#, "/applinks/details/0/appIDs/1"),
        ])
    func emptyAppID(details: String, place: String) throws {
        let file = #"{"applinks":{"details":\#(details)}}"#
        let (draft, report) = imported(try Association(parsing: Array(file.utf8)))
        let items = report.items.filter { $0.pointer.description == place }
        #expect(items.map(\.action) == [.dropped])
        #expect(items.first?.detail.contains("it is empty") == true)
        #expect(!draft.apps.contains(""))
    }

    @Test("paths with NOT become rules in the same order")
    func paths() throws {
        let file = #"{"applinks":{"details":[{"appID":"ABCDE12345.a","paths":["NOT /a/*","/b","not /c","NOT/d"]}]}}"#
        let draft = imported(try Association(parsing: Array(file.utf8))).draft
        #expect(draft.allRules.map(\.rule.path) == ["/a/*", "/b", "/c", "NOT/d"])
        #expect(draft.allRules.map(\.rule.exclude) == [true, nil, true, nil])
        #expect(draft.allRules.map(\.rule.caseSensitive) == [nil, nil, nil, nil])
    }

    @Test("the generated file of the corpus can be read back unchanged", Corpus.condition)
    func corpusReadBack() throws {
        for file in try Corpus.associations() {
            let output = imported(file.association).draft.association()
            #expect(try Association(parsing: output.bytes) == output, "\(file.name)")
            #expect(try Association(parsing: output.bytes).bytes == output.bytes, "\(file.name)")
        }
    }

    @Test("a signed file is recognized")
    func signed() {
        // The beginning of a CMS ContentInfo of type signed-data (RFC 5652, section 5.1).
        let der: [UInt8] = [0x30, 0x82, 0x0A, 0x00, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        #expect(throws: AssociationError.signed) { try Association(parsing: der) }
        #expect(throws: AssociationError.signed) { try Association(parsing: Array("-----BEGIN PKCS7-----\n".utf8)) }
        #expect(AssociationError.signed.detail.contains("CMS"))
    }

    @Test("U+0000, which cannot be stored, is replaced and reported")
    func nulCharacters() throws {
        let file = #"{"a\u0000":"x","a\uFFFD":"y","webcredentials":{"apps":["b\u0000"]}}"#
        let (draft, report) = imported(try Association(parsing: Array(file.utf8)))
        #expect(!draft.json.bytes().contains(0))
        #expect(!String(decoding: draft.json.bytes(), as: UTF8.self).contains(#"\u0000"#))
        #expect(report.items.map(\.action) == [.changed, .changed, .dropped, .kept])
    }

    @Test("an imported draft is within the limits of a draft's JSON", Corpus.condition)
    func fits() throws {
        for file in try Corpus.associations() {
            let draft = imported(file.association).draft
            try draft.checkLimits()
            #expect(try Draft(json: draft.json, makeID: DraftTests.ids()) == draft, "\(file.name)")
        }
    }

    @Test("the report names every change on iOS 9 to 12", arguments: shapes)
    func oldSystems(file: String) throws { expectOldSystemsNamed(try Association(parsing: Array(file.utf8)), file) }

    @Test("the report names every change of the corpus on iOS 9 to 12", Corpus.condition)
    func corpusOldSystems() throws {
        let files = try Corpus.associations()
        let changes = files.count { expectOldSystemsNamed($0.association, $0.name) }
        let serving = files.count { $0.association.servesOldSystems }
        print("import: \(serving) files serve iOS 9 to 12, of which \(changes) change there and say so")
        #expect(serving > 20)
    }

    @Test(
        "a file that serves iOS 9 to 12 makes a draft that serves them",
        arguments: [
            (
                #"{"apps":[],"details":[{"appID":"ABCDE12345.a","paths":["NOT /a/*","/b/*","/c"]}]}"#,
                Draft.Compatibility.ios9
            ),
            // These systems reject a file without "apps", or with an entry that they cannot read.
            (#"{"details":[{"appID":"ABCDE12345.a","paths":["/b"]}]}"#, .ios13),
            (#"{"apps":[],"details":[{"appID":"ABCDE12345.a","paths":["/b"]},{"appIDs":["ABCDE12345.b"]}]}"#, .ios13),
            (#"{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/a"}]}]}"#, .ios13),
        ])
    func compatibility(applinks: String, expected: Draft.Compatibility) throws {
        let association = try Association(parsing: Array(#"{"applinks":\#(applinks)}"#.utf8))
        let (draft, report) = imported(association)
        #expect(draft.compatibility == expected)
        #expect(!report.items.contains { $0.detail.contains("iOS 9 to 12, ") })
    }

    @Test(
        "a change on iOS 9 to 12 is reported with a URL",
        arguments: [
            (
                #"[{"appIDs":["ABCDE12345.a"],"appID":"ABCDE12345.a","paths":["/x"],"components":[{"/":"/y"}]}]"#,
                "/applinks/details/0/paths", "on iOS 9 to 12, ABCDE12345.a opened /x, but no longer will"
            ),
            (
                #"[{"appIDs":["ABCDE12345.a","ABCDE12345.b"],"appID":"ABCDE12345.a","paths":["/x"],"components":[{"/":"/x"}]}]"#,
                "/applinks/details/0", "iOS 9 to 12 did not read this entry for ABCDE12345.b, but will now"
            ),
            (
                #"[{"appIDs":["ABCDE12345.a"],"appID":"ABCDE12345.c","paths":["/x"],"components":[{"/":"/x"}]}]"#,
                "/applinks/details/0",
                "URLs no longer open ABCDE12345.c on iOS 9 to 12, because the entry is not for this app since iOS 13"
            ),
        ])
    func notKept(details: String, place: String, sentence: String) throws {
        let association = try Association(parsing: Array(#"{"applinks":{"apps":[],"details":\#(details)}}"#.utf8))
        let items = imported(association).report.items.map { "\($0.pointer) \($0.detail)" }
        #expect(items.contains("\(place) \(sentence)"), "\(items)")
    }

    @Test("a file that would grow too large for iOS 9 to 12 is imported without them, and the report says so")
    func tooLargeForOldSystems() throws {
        let apps = (0..<400).map { JSONValue.string("ABCDE12345.com.example.app\($0)") }
        let components = (0..<400).map { JSONValue.object(["/": .string("/path/number/\($0)/*")]) }
        let entry: JSONValue = [
            "appIDs": .array(apps), "appID": "ABCDE12345.com.example.app0", "paths": ["/a"],
            "components": .array(components),
        ]
        let (draft, report) = imported(Association(root: ["applinks": ["apps": [], "details": [entry]]]))
        #expect(draft.compatibility == .ios13)
        #expect(draft.association().bytes.count < Association.maximumSize)
        #expect(report.items.last?.detail.contains("iOS 9 to 12 are no longer supported") == true)
    }

    @Test(
        "a file with empty applinks keeps its notice and gets no error",
        arguments: [#"{"applinks":{}}"#, #"{"applinks":{"apps":[]}}"#, #"{"applinks":{"apps":[],"details":[]}}"#])
    func empty(file: String) throws {
        let bytes = Array(file.utf8)
        let (draft, report) = imported(try Association(parsing: bytes))
        let findings = draft.lint(draft.association().bytes)
        #expect(findings.findings.map(\.code.rawValue) == ["WM037"])
        let items = report.naming(errorsOf: Association.lint(bytes), draft: findings).items
        #expect(!items.contains { $0.action == .problem })
        let again = try Draft(json: draft.json, isSent: true, makeID: DraftTests.ids())
        #expect(again.association() == draft.association())
    }

    @Test(
        "an error in only the file or only the draft is a problem in the report",
        arguments: [
            (
                #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":["/a"]}]}}"#,
                "/applinks/details/0/components/0", "WM010"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":[5,"ABCDE12345.a"],"components":[{"/":"/a"}]}]}}"#,
                "/applinks/details/0/appIDs/0", "WM010"
            ),
            (#"{"applinks":{"details":[{"appID":7,"paths":["/a"]}]}}"#, "/applinks/details/0/appID", "WM010"),
            (#"{"webcredentials":{"apps":[5]}}"#, "/webcredentials/apps/0", "WM010"),
            (#"{"webcredentials":{"apps":["ABCDE12345.a"],"apps":["ABCDE12345.b"]}}"#, "/webcredentials/apps", "WM005"),
        ])
    func problems(file: String, place: String, code: String) throws {
        let bytes = Array(file.utf8)
        let (draft, report) = imported(try Association(parsing: bytes))
        let items = report.naming(errorsOf: Association.lint(bytes), draft: draft.lint(draft.association().bytes)).items
        let problems = items.filter { $0.action == .problem }.map { "\($0.pointer) \($0.detail)" }
        #expect(problems.contains { $0.hasPrefix("\(place) ") && $0.contains(code) }, "\(problems)")
    }

    @Test(
        "an import that hides no error reports no problem",
        arguments: [
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/a"}]}]}}"#,
            #"{"applinks":{"apps":[],"details":[{"appID":"ABCDE12345.a","paths":["/a"]}]}}"#,
        ])
    func noProblem(file: String) throws {
        let (draft, report) = imported(try Association(parsing: Array(file.utf8)))
        let lint = draft.lint(draft.association().bytes)
        #expect(report.naming(errorsOf: Association.lint(Array(file.utf8)), draft: lint) == report)
    }

    @Test(
        "the error for an unreadable file has the texts of lint",
        arguments: [
            ("{\"applinks\": {},}", "there is a trailing comma"),
            ("MIME-Version: 1.0\n\n{}", "signed email message"),
            ("<html>", "HTML page"),
        ])
    func advice(text: String, words: String) {
        let bytes = Array(text.utf8)
        do {
            _ = try Association(parsing: bytes)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.advice(on: bytes).contains(words))
        }
    }

    /// Expects that the report names iOS 9 to 12 if the outcome of a URL changes there. Returns whether one does.
    @discardableResult
    private func expectOldSystemsNamed(_ association: Association, _ name: String) -> Bool {
        let (draft, report) = imported(association)
        let difference = association.difference(to: draft.association(), samples: 2_000, systems: [.ios9])
        let changes = difference.outcomes.flatMap { outcome in
            outcome.apps.filter { ($0.before.outcome == .opens) != ($0.after.outcome == .opens) }.map {
                ($0.app, outcome.url)
            }
        }
        for (app, url) in changes {
            #expect(
                report.items.contains { $0.detail.contains("iOS 9 to 12") && $0.detail.contains(app) },
                "\(name): \(url) changes silently for \(app) on iOS 9 to 12")
        }
        return !changes.isEmpty
    }

    /// Expects every rule to have the same meaning, place and apps, and the report to name every other change.
    private func expectNothingSilent(_ association: Association, _ name: String) {
        let (draft, report) = imported(association)
        let difference = association.difference(to: draft.association(), samples: 0, systems: Self.systems)
        #expect(difference.effects.isEmpty, "\(name)")
        // Parts that are kept are unchanged in the file, except for comments.
        let named = report.items.filter { $0.action != .kept || $0.pointer.tokens.last == "comment" }.map(\.pointer)
        for place in difference.places {
            #expect(named.contains { $0.contains(place) || place.contains($0) }, "\(name): \(place) changes silently")
        }
    }

    /// Expects every URL to have the same outcome for every app. Returns how many were tried.
    @discardableResult
    private func expectSameMeaning(_ association: Association, _ name: String) -> Int {
        let generated = imported(association).draft.association()
        var urls = Set(SampleURLs.urls(for: association))
        for file in [association, generated] { urls.formUnion(file.sampleURLs(limit: 2_000).map(\.url)) }
        for system in Self.systems {
            let (before, after) = (
                CompiledAssociation(association, os: system), CompiledAssociation(generated, os: system)
            )
            for url in urls {
                let (old, new) = (before.evaluate(url), after.evaluate(url))
                let apps = { (evaluation: Evaluation) in
                    evaluation.apps.filter { !$0.app.isEmpty }.map { "\($0.app) \($0.outcome)" }
                }
                #expect(apps(old) == apps(new), "\(name): \(url) on \(system)")
            }
        }
        return urls.count
    }
}

extension Difference {
    /// The changes that an import may not make, in words. It may remove empty app IDs, and turn `applinks.apps` into an
    /// entry.
    fileprivate var effects: [String] {
        func isOfApps(_ place: JSONPointer?) -> Bool {
            place.map { JSONPointer(tokens: ["applinks", "apps"]).contains($0) } ?? false
        }
        func some(_ apps: [String]) -> [String] { apps.filter { !$0.isEmpty } }
        let rules = rules.filter { $0.kind != .sameMeaning && !isOfApps($0.from) }
        let entries = entries.filter {
            ($0.kind != .changed || some($0.before) != some($0.after)) && !isOfApps($0.from)
        }
        let services = services.filter { !$0.added.isEmpty || !some($0.removed).isEmpty }
        return rules.map { "rule \($0)" } + entries.map { "entry \($0)" } + services.map { "service \($0)" }
            + apps.added + some(apps.removed) + (apps.isReordered ? ["apps reordered"] : [])
            + (isTruncated ? ["not compared in full"] : [])
    }

    /// The places that are written differently, in the file before if they exist there. Added `appIDs` are not included:
    /// every generated entry has them, and ``effects`` compares the apps.
    fileprivate var places: [JSONPointer] {
        let written = rules.flatMap { rule in
            rule.parts.map { part in
                let place = rule.from ?? JSONPointer()
                return switch part.part {
                case .path: place.appending("/")
                case .query: place.appending("?")
                case .fragment: place.appending("#")
                case .exclude, .caseSensitive, .percentEncoded, .comment: place.appending(part.part.rawValue)
                case .extras, .form: place
                }
            }
        }
        let variables = variables.map { JSONPointer(tokens: ["applinks", "substitutionVariables", $0.name]) }
        let defaults = defaults.map { ($0.from ?? JSONPointer()).appending($0.key) }
        let other = other.compactMap { $0.from ?? ($0.to?.tokens.last == "appIDs" ? nil : $0.to) }
        return written + variables + defaults + services.map { JSONPointer(tokens: [$0.service, "apps"]) } + other
    }
}

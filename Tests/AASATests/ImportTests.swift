import AASA
import StrictJSON
import Testing

@Suite struct ImportTests {
    /// Files in all the shapes that are seen or imagined, each with something that does not go over as it is.
    private static let shapes = Fixture.lines("Fixtures/import-shapes.jsonl")

    private func imported(_ association: Association) -> (draft: Draft, report: ImportReport) {
        Draft.importing(association, makeID: DraftTests.ids())
    }

    @Test("there are shapes to import")
    func present() { #expect(Self.shapes.count == 30) }

    @Test("nothing is dropped silently: each leaf is in the generated file or named in the report", arguments: shapes)
    func nothingLost(file: String) throws {
        try expectNothingLost(try Association(parsing: Array(file.utf8)), file)
    }

    @Test("nothing of the corpus is dropped silently", Corpus.condition)
    func corpus() throws {
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            try expectNothingLost(association, file.name)
        }
    }

    @Test("the generated file means the same for every system from iOS 13 on", arguments: shapes)
    func meaning(file: String) throws {
        let association = try Association(parsing: Array(file.utf8))
        expectSameMeaning(association, file)
    }

    @Test("the generated file means the same for every file of the corpus", Corpus.condition)
    func corpusMeaning() throws {
        var urls = 0
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            urls += expectSameMeaning(association, file.name)
        }
        print("import: \(urls) URLs compared")
        #expect(urls > 2_000)
    }

    @Test("an import of what an import generated changes nothing more", arguments: shapes)
    func stable(file: String) throws {
        let first = imported(try Association(parsing: Array(file.utf8))).draft.association()
        let (again, report) = imported(first)
        #expect(again.association() == first)
        #expect(report.items.allSatisfy { $0.action == .kept }, "\(report.items)")
    }

    @Test("the report says what became of each part")
    func report() throws {
        let file =
            #"{"applinks":{"apps":[],"details":[{"appID":"ABCDE12345.a","paths":["NOT /a","/b"],"components":[{"/":"/c","comment":"x"}],"odd":1}]}}"#
        let (draft, report) = imported(try Association(parsing: Array(file.utf8)))
        #expect(
            report.items.map { "\($0.action.rawValue) \($0.pointer)" } == [
                "dropped /applinks/apps", "kept /applinks/details/0/odd", "changed /applinks/details/0/appID",
                "dropped /applinks/details/0/paths", "kept /applinks/details/0/components/0/comment",
            ])
        #expect(draft.entries.first?.extras == ["odd": 1])
        #expect(draft.entries.first?.rules?.first?.comment == "x")
    }

    @Test(
        "an app ID that no app can have is left out and named at its place, whatever the form of the entry",
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

    @Test("what is kept of the corpus is in the file: keys that nobody knows too", Corpus.condition)
    func corpusExtras() throws {
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            let (draft, report) = imported(association)
            let output = draft.association()
            for item in report.items where item.action == .kept && item.detail.contains("extras") {
                let value = try #require(JSONValue.object(association.root)[item.pointer])
                let names = Leaf.all(of: .object(output.root)).map(\.shape)
                #expect(Leaf.all(of: value, at: item.pointer).allSatisfy { names.contains($0.shape) }, "\(file.name)")
            }
            #expect(try Association(parsing: output.bytes) == output, "\(file.name)")
            #expect(try Association(parsing: output.bytes).bytes == output.bytes, "\(file.name)")
        }
    }

    @Test("a signed file is recognised and named")
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

    @Test("what is imported fits a draft's JSON", Corpus.condition)
    func fits() throws {
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            let draft = imported(association).draft
            try draft.checkLimits()
            #expect(try Draft(json: draft.json, makeID: DraftTests.ids()) == draft, "\(file.name)")
        }
    }

    private func expectNothingLost(_ association: Association, _ name: String) throws {
        let (draft, report) = imported(association)
        let output = Leaf.all(of: .object(draft.association().root))
        for leaf in Leaf.all(of: .object(association.root)) where !leaf.pointer.tokens.isEmpty {
            let isNamed = report.items.contains { $0.pointer.contains(leaf.pointer) }
            let isThere = output.contains { $0.value == leaf.value && $0.shape == leaf.shape }
            #expect(isNamed || isThere, "\(name): \(leaf.pointer) is lost")
        }
    }

    @discardableResult
    private func expectSameMeaning(_ association: Association, _ name: String) -> Int {
        let generated = imported(association).draft.association()
        let urls = SampleURLs.urls(for: association)
        for system in [SystemVersion.ios13, .ios13point5, .ios14] {
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

/// A value of a document that holds no others.
private struct Leaf {
    let pointer: JSONPointer
    let value: JSONValue

    /// The way to the leaf with array indices left out: they move when an element before is dropped.
    var shape: [String] { pointer.tokens.map { Int($0) == nil ? $0 : "#" } }

    static func all(of value: JSONValue, at pointer: JSONPointer = JSONPointer()) -> [Leaf] {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            elements.enumerated().flatMap { all(of: $1, at: pointer.appending($0)) }
        case .object(let object) where !object.isEmpty:
            object.members.flatMap { all(of: $0.value, at: pointer.appending($0.name)) }
        default: [Leaf(pointer: pointer, value: value)]
        }
    }
}

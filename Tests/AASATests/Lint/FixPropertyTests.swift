import AASA
import StrictJSON
import Testing

/// `waymark lint --fix` on many files: the result of no URL changes.
@Suite struct FixPropertyTests {
    private static let systems: [SystemVersion] = [.ios13, .ios13point5, .ios14]

    /// Applies the fixes that keep outcomes until there are no more. Returns the text and the titles of the fixes.
    private func mended(_ bytes: [UInt8]) -> (text: [UInt8], applied: [String]) {
        var text = bytes
        var titles: [String] = []
        for _ in 0..<20 {
            let fixes = Association.lint(text, sensitive: []).findings.compactMap(\.fix).filter(\.keepsOutcomes)
            let (next, applied) = Fix.apply(fixes, to: text)
            if applied == 0 { break }
            text = next
            titles += fixes.map(\.title)
        }
        return (text, titles)
    }

    /// The outcomes of URLs, for the file and for each app.
    private func outcomes(_ bytes: [UInt8], _ urls: [String], _ system: SystemVersion) throws -> [String] {
        let file = CompiledAssociation(try Association(parsing: bytes), os: system)
        return urls.map { url in
            let evaluation = file.evaluate(url)
            let apps = evaluation.apps.filter { $0.outcome != .none }.map { "\($0.app) \($0.outcome)" }
            return "\(url): \(evaluation.outcome) \(evaluation.app ?? "-") \(apps)"
        }
    }

    private func check(_ bytes: [UInt8], _ urls: [String]) throws -> [String] {
        let (text, titles) = mended(bytes)
        guard text != bytes else { return titles }
        for system in Self.systems {
            let (before, after) = (try outcomes(bytes, urls, system), try outcomes(text, urls, system))
            #expect(
                before == after,
                "\(system) \(titles)\n\(String(decoding: bytes, as: UTF8.self))\n\(String(decoding: text, as: UTF8.self))"
            )
        }
        return titles
    }

    /// A file in the old form: each entry has the app as its name.
    private func legacy(_ file: Association) -> Association {
        var entries = JSONObject()
        for case .object(var entry) in file.root["applinks"]?["details"]?.array ?? [] {
            guard let app = entry["appIDs"]?.array?.first?.string else { continue }
            entry["appIDs"] = nil
            entry["appID"] = nil
            entries[app] = .object(entry)
        }
        var applinks = file.root["applinks"]?.object ?? [:]
        applinks["details"] = .object(entries)
        return Association(root: ["applinks": .object(applinks)])
    }

    @Test("no fix of a random file changes an outcome")
    func random() throws {
        var random = SeededRandom(seed: 41)
        var applied: [String: Int] = [:]
        for round in 0..<700 {
            let file = RandomFiles.association(&random)
            let whole = round.isMultiple(of: 7) ? legacy(file) : file
            let urls = (0..<25).map { _ in RandomFiles.url(&random) } + SampleURLs.urls(for: whole).prefix(60)
            for title in try check(whole.bytes, urls) { applied[title, default: 0] += 1 }
        }
        #expect(applied.count > 6, "\(applied)")
    }

    @Test(
        "no fix of a file that looks harmless changes an outcome",
        arguments: [
            // A path of several stars is different from one star.
            #"[{"/":"***"}]"#, #"[{"/":"****","exclude":true},{"/":"/a"}]"#, #"[{"/":"**"}]"#, #"[{"/":"/a/***"}]"#,
            // A backslash hides the star after it; stars in a name are not wildcards.
            #"[{"/":"/a\\**"}]"#, #"[{"/":"/$(a**b)"}]"#,
            // A flag or a variable that iOS 13 does not support cannot make a rule redundant there.
            #"[{"/":"/a","caseSensitive":false},{"/":"/A"}]"#, #"[{"/":"/$(digit)"},{"/":"/1"}]"#,
            #"[{"/":"/a*","percentEncoded":false},{"/":"/ab","percentEncoded":false}]"#,
            #"[{},{"/":"/a","exclude":false}]"#, #"[{"/":""},{"/":"/"}]"#,
        ])
    func rules(components: String) throws {
        let urls = [
            "/", "/a", "/A", "/ab", "/1", "/a/x", "/a/x*", "/a/", "/axb", "/a%2Ab", "/$(digit)", "/q", "/*", "/**",
        ]
        for defaults in ["", #","defaults":{"exclude":true}"#] {
            let file =
                #"{"applinks":{"substitutionVariables":{"a**b":["q"],"a*b":["z"]},"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":\#(components)}]\#(defaults)}}"#
            _ = try check(Array(file.utf8), urls.map { "https://www.example.com\($0)" })
        }
    }

    @Test("no fix changes an entry of the old form because of the spelling of its app ID")
    func legacyNames() throws {
        for details in [
            #"{"q1w2e3r4t5.a":{"paths":["/a"]}}"#,
            #"{"Q1W2E3R4T5.a":{"paths":["/a"]},"q1w2e3r4t5.a":{"paths":["/b"]}}"#,
            #"{" Q1W2E3R4T5.a":{"paths":["/a"]}}"#,
        ] {
            let bytes = Array(#"{"applinks":{"details":\#(details)}}"#.utf8)
            _ = try check(bytes, ["https://www.example.com/a", "https://www.example.com/b"])
            let text = String(decoding: mended(bytes).text, as: UTF8.self)
            #expect(text.contains(#""paths":["/a"]"#), "\(text)")
        }
    }

    @Test("a file with a repeated key has no fix: it could change the one that does not count")
    func duplicates() {
        let file =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a/**"}],"components":[{"/":"/b/**"}]}]}}"#
        let findings = Association.lint(Array(file.utf8)).findings
        #expect(findings.contains { $0.code == .doubleStar } && findings.allSatisfy { $0.fix == nil })
    }

    @Test("no fix of a real file changes an outcome", Corpus.condition)
    func corpus() throws {
        var mended = 0
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            mended += try check(file.bytes, Array(SampleURLs.urls(for: association).prefix(150))).isEmpty ? 0 : 1
        }
        #expect(mended > 5)
    }
}

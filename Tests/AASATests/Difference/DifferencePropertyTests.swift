import AASA
import StrictJSON
import Testing

/// Properties of the difference of any two files.
@Suite("Every difference")
struct DifferencePropertyTests {
    private static let urls = [
        "/", "/a", "/A", "/a/", "/a/b", "/A/b", "/x/b", "/1/x", "/2/x", "/xyz/x", "/a%20b", "/7", "/q", "/qq", "/a?a=1",
        "/a?a=1&b=2", "/a?a=2", "/a?a=1#f", "/a#f", "/a#FF", "/a#fx", "/%61", "/b",
    ]

    /// Pairs of random files: a file, and the same file with a few changes.
    private static func pairs(_ count: Int) -> [(Association, Association)] {
        (0..<count).map { seed in
            var files = AlikeFiles(seed: UInt64(seed))
            let file = files.file()
            return (file, files.mutation(of: file))
        }
    }

    /// Every file of the corpus with the next one.
    private static func corpusPairs() throws -> [(Association, Association)] {
        let files = try Corpus.files().compactMap { try? Association(parsing: $0.bytes) }
        return Array(zip(files, files.dropFirst()))
    }

    /// The changes as sorted texts, with before and after exchanged if `backwards`.
    private static func texts(_ difference: Difference, backwards: Bool) -> [String] {
        func pair<Value>(_ before: Value, _ after: Value) -> String {
            backwards ? "\(after) > \(before)" : "\(before) > \(after)"
        }
        func kind(_ name: String) -> String {
            switch name {
            case "added": backwards ? "removed" : "added"
            case "removed": backwards ? "added" : "removed"
            default: name
            }
        }
        func text(_ pointer: JSONPointer?) -> String { pointer?.description ?? "-" }
        var lines = difference.rules.map { rule in
            let parts = rule.parts.map { "\($0.part) \(pair($0.before as Any, $0.after as Any))" }
            return "rule \(kind(rule.kind.rawValue)) \(pair(text(rule.from), text(rule.to))) \(parts) "
                + pair(rule.before as Any, rule.after as Any) + " \(rule.apps.sorted())"
        }
        lines += difference.entries.map {
            "entry \(kind($0.kind.rawValue)) \(pair(text($0.from), text($0.to))) \(pair($0.before, $0.after))"
        }
        lines.append("apps \(pair(difference.apps.removed, difference.apps.added)) \(difference.apps.isReordered)")
        lines += difference.services.map { "service \($0.service) \(pair($0.removed, $0.added))" }
        lines += difference.variables.map { "variable \($0.name) \(pair($0.before as Any, $0.after as Any))" }
        lines += difference.defaults.map {
            "default \(pair(text($0.from), text($0.to))) \($0.key) \(pair($0.before as Any, $0.after as Any))"
        }
        lines += difference.other.map { "other \(pair(text($0.from), text($0.to)))" }
        lines += difference.outcomes.map { outcome in
            let apps = outcome.apps.map { "\($0.app) \(pair($0.before, $0.after))" }
            return "outcome \(outcome.url) \(pair(outcome.before, outcome.after)) \(apps.sorted())"
        }
        return lines.sorted()
    }

    @Test("a file does not differ from itself, and two files with different content differ")
    func emptiness() {
        var different = 0
        for (before, after) in Self.pairs(400) {
            #expect(before.difference(to: before, urls: Self.urls).isEmpty)
            #expect(before.difference(to: after, samples: 0).isEmpty == (before == after))
            different += before == after ? 0 : 1
        }
        #expect(different > 300)
    }

    @Test("exchanging the two files exchanges before and after in the difference")
    func mirrored() {
        for (before, after) in Self.pairs(400) {
            let there = before.difference(to: after, urls: Self.urls, samples: 0)
            let back = after.difference(to: before, urls: Self.urls, samples: 0)
            #expect(Self.texts(there, backwards: false) == Self.texts(back, backwards: true))
        }
    }

    @Test("a URL is reported as changed if its verdicts differ on the given system, and only then")
    func outcomes() {
        var changed = 0
        for (index, (before, after)) in Self.pairs(160).enumerated() {
            let system = SystemVersion.allCases[index % SystemVersion.allCases.count]
            let difference = before.difference(to: after, urls: Self.urls, samples: 60, systems: [system])
            #expect(difference.urls.tried >= Self.urls.count)
            let told = Set(difference.outcomes.map(\.url))
            #expect(told.count == difference.outcomes.count && told.count == difference.urls.changed)
            for url in told.union(Self.urls) {
                let (old, new) = (before.evaluate(url, os: system), after.evaluate(url, os: system))
                let outcome = difference.outcomes.first { $0.url == url }
                #expect((outcome != nil) == (Self.verdicts(old) != Self.verdicts(new)), "\(url)")
                if let outcome {
                    #expect(outcome.before.app == old.app && outcome.after.app == new.app)
                    #expect(outcome.before.outcome == old.outcome && outcome.after.outcome == new.outcome)
                    changed += 1
                }
            }
        }
        #expect(changed > 500)
    }

    /// The verdict for the file, and the verdicts of its apps that are not "none".
    private static func verdicts(_ evaluation: Evaluation) -> [String] {
        let apps = evaluation.apps.filter { $0.outcome != .none }.map { "\($0.app) \($0.outcome)" }
        return ["\(evaluation.outcome) \(evaluation.app ?? "-")"] + apps.sorted()
    }

    @Test("if apps and variables are equal and all rules have the same meaning, no outcome changes")
    func sameMeaning() {
        var seen = 0
        for (before, after) in Self.pairs(1_000) {
            let difference = before.difference(to: after, urls: Self.urls, samples: 60)
            let isSame =
                difference.rules.allSatisfy { $0.kind == .sameMeaning } && difference.entries.isEmpty
                && difference.variables.isEmpty
            if !isSame || difference.isEmpty { continue }
            seen += 1
            #expect(difference.outcomes.isEmpty, "\(before) \(after)")
        }
        #expect(seen > 25)
    }

    @Test("explicit default values only give rules with the same meaning")
    func explicitDefaults() {
        for (before, _) in Self.pairs(200) {
            guard let details = before.root["applinks"]?["details"]?.array else { continue }
            let spelledOut = details.map { entry -> JSONValue in
                guard var object = entry.object, let rules = object["components"]?.array else { return entry }
                object["components"] = .array(rules.map(Self.spelledOut))
                return .object(object)
            }
            // Without defaults, because explicit values would override them.
            let plain = Association(root: ["applinks": ["details": .array(details.map(Self.withoutDefaults))]])
            let other = Association(root: ["applinks": ["details": .array(spelledOut.map(Self.withoutDefaults))]])
            let difference = plain.difference(to: other, urls: Self.urls, samples: 50)
            #expect(difference.isEmpty == (plain == other))
            #expect(difference.rules.allSatisfy { $0.kind == .sameMeaning } && difference.outcomes.isEmpty)
            #expect(difference.entries.isEmpty && difference.defaults.isEmpty)
        }
    }

    private static func spelledOut(_ rule: JSONValue) -> JSONValue {
        guard var object = rule.object else { return rule }
        for (key, value) in [("exclude", false), ("caseSensitive", true), ("percentEncoded", true)]
        where object[key] == nil {
            object[key] = .bool(value)
        }
        return .object(object)
    }

    private static func withoutDefaults(_ entry: JSONValue) -> JSONValue {
        guard var object = entry.object else { return entry }
        object["defaults"] = nil
        return .object(object)
    }

    @Test("a real file can be compared with any other, and does not differ from itself", Corpus.condition)
    func corpus() throws {
        let pairs = try Self.corpusPairs()
        #expect(pairs.count > 80)
        var slowest = Duration.zero
        for (before, after) in pairs {
            let start = ContinuousClock.now
            let difference = before.difference(to: after, samples: 200)
            slowest = max(slowest, ContinuousClock.now - start)
            #expect(difference.isEmpty == (before == after))
            #expect(!difference.isTruncated)
            let back = after.difference(to: before, samples: 0)
            let there = before.difference(to: after, samples: 0)
            #expect(Self.texts(there, backwards: false) == Self.texts(back, backwards: true))
            #expect(before.difference(to: before).isEmpty)
        }
        #expect(slowest < .seconds(20))
        print("difference: slowest of \(pairs.count) pairs of the corpus: \(slowest)")
    }
}

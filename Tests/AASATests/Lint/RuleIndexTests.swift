import StrictJSON
import Testing

@testable import AASA

@Suite("The index of rules")
struct RuleIndexTests {
    /// Rules with few characters, so that many cover each other and many overlap.
    private static let components: [JSONValue] = {
        let paths: [JSONValue?] = [
            nil, "/*", "/a", "/A*", "/?b", "/?*", "/a?*", "/ab*", "/*b", "/$(one)b", "/$(word)*", "/a/b*",
        ]
        let fragments: [JSONValue?] = [nil, "a", "?*", "b*"]
        let queries: [JSONValue?] = [nil, "a*", ["x": "a"], ["x": "?b", "y": "*"], ["y": "b*"]]
        return paths.flatMap { path in
            fragments.flatMap { fragment in
                queries.map { query in
                    var object = JSONObject()
                    object["/"] = path
                    object["#"] = fragment
                    object["?"] = query
                    if fragment == "b*" { object["caseSensitive"] = false }
                    return .object(object)
                }
            }
        }
    }()

    private let rules: [RuleShape]

    init() {
        let variables = VariableShapes(["one": ["a", "b"], "word": ["ab", "b"]])
        rules = Self.components.enumerated().map { number, component in
            RuleShape(
                ComponentReading(component, defaults: [], os: .latest), at: JSONPointer().appending(number),
                isPath: false, variables: variables)
        }
    }

    @Test("the index finds every rule that covers another")
    func covering() throws {
        var index = RuleIndex()
        for (number, rule) in rules.enumerated() { index.insert(number, try #require(RuleBeginnings(rule))) }
        var (covers, found) = (0, 0)
        for rule in rules {
            var budget = LintBudget()
            let candidates = Set(index.covering(try #require(RuleBeginnings(rule)), &budget).joined())
            found += candidates.count
            for (number, other) in rules.enumerated() where other.covers(rule) {
                covers += 1
                #expect(candidates.contains(number), "\(Self.components[number])")
                #expect(other.pathMayCover(rule) && other.mayCover(rule))
            }
        }
        #expect(covers > 1_000)
        #expect(found < rules.count * rules.count / 2)
    }

    @Test("the index finds every rule that overlaps another, starting with the longer path beginning")
    func meeting() throws {
        var index = RuleIndex()
        var beginnings: [RuleBeginnings] = []
        for (number, rule) in rules.enumerated() {
            beginnings.append(try #require(RuleBeginnings(rule, spelledOut: true)))
            index.insert(number, beginnings[number])
        }
        var (meetings, found) = (0, 0)
        for (first, rule) in rules.enumerated() {
            var budget = LintBudget()
            let candidates = Set(index.meeting(beginnings[first], &budget).joined())
            found += candidates.count
            for (second, other) in rules.enumerated()
            where beginnings[second].path.count <= beginnings[first].path.count {
                var budget = LintBudget()
                guard ExampleURL.meeting(rule, other, &budget) != nil else { continue }
                meetings += 1
                #expect(candidates.contains(second), "\(Self.components[first]) and \(Self.components[second])")
                #expect(rule.mayMeet(other) && other.mayMeet(rule))
            }
        }
        #expect(meetings > 1_000)
        #expect(found < rules.count * rules.count / 2)
    }

    @Test("1,000 rules are fully checked, in any number of entries", arguments: [1, 4, 10, 50])
    func ordinary(entries: Int) {
        let places = ["news", "help", "order", "wiki"]
        let rules = (0..<1_000).map { number in
            let path = "/\(places[number / 5 % places.count])/*"
            return switch number % 5 {
            case 0: ##"{"/":"\##(path)","#":"editor-\##(number)"}"##
            case 1: #"{"/":"\#(path)","?":{"id":"\#(number)"}}"#
            case 2: #"{"/":"\#(path)","?":"tab=\#(number)"}"#
            case 3: #"{"/":"/??/page-\#(number)/*"}"#
            default: #"{"/":"/wiki/Special\#(number):*","exclude":true}"#
            }
        }
        let details = (0..<entries).map { entry in
            let own = stride(from: entry, to: rules.count, by: entries).map { rules[$0] }
            return #"{"appIDs":["Q1W2E3R4T5.a\#(entry)"],"components":[\#(own.joined(separator: ","))]}"#
        }
        let file = #"{"applinks":{"details":[\#(details.joined(separator: ","))]}}"#
        let codes = Association.lint(Array(file.utf8)).findings.map(\.code)
        #expect(!codes.contains(.notFullyAnalysed))
    }
}

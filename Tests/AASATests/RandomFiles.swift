import AASA
import StrictJSON

/// A random number generator with the same numbers in every run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Random small files, drafts and URLs with few characters, so that patterns often match.
enum RandomFiles {
    static func association(_ random: inout SeededRandom) -> Association {
        let details = (0..<Int.random(in: 1...3, using: &random)).map { _ in entry(&random) }
        var applinks: JSONObject = [
            "apps": [], "details": .array(details),
            "substitutionVariables": ["v": ["a", "b*", "a/b"], "w": ["", "É"], "digit": ["1"]],
        ]
        if Int.random(in: 0..<5, using: &random) == 0 { applinks["defaults"] = component(&random) }
        return Association(root: ["applinks": .object(applinks)])
    }

    private static func entry(_ random: inout SeededRandom) -> JSONValue {
        let apps = ["ABCDE12345.a", "ABCDE12345.b", "abcde12345.c", "short"]
        var entry: JSONObject = [
            "appIDs": [.string(pick(apps, &random)), .string(pick(apps, &random))], "appID": .string(apps[0]),
        ]
        let count = Int.random(in: 0...5, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1, 2:
            entry["paths"] = .array(
                (0..<count).map { _ in .string(pick(["", "NOT ", "not ", "NOT"], &random) + pattern(&random)) })
        default: entry["components"] = .array((0..<count).map { _ in component(&random) })
        }
        if Int.random(in: 0..<5, using: &random) == 0 { entry["defaults"] = component(&random) }
        return .object(entry)
    }

    private static func component(_ random: inout SeededRandom) -> JSONValue {
        var object = JSONObject()
        if Int.random(in: 0..<4, using: &random) > 0 { object["/"] = .string(pattern(&random)) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: object["?"] = .string(pattern(&random))
        case 1, 2: object["?"] = .object(JSONObject([(pick(["a", "A", "b%41"], &random), .string(pattern(&random)))]))
        case 3: object["#"] = .string(pattern(&random))
        default: break
        }
        for key in ["exclude", "caseSensitive", "percentEncoded"] where Int.random(in: 0..<3, using: &random) == 0 {
            object[key] = pick([true, false, false, nil, "true", 0], &random)
        }
        return .object(object)
    }

    static func pattern(_ random: inout SeededRandom) -> String {
        let pieces = [
            "/", "/", "/a", "a", "A", "b", "*", "*", "?", "/*", "$(v)", "$(w)", "$(digit)", "$(lower)", "$(no)", "$(",
            "é", "É",
            "%41", "\\", "1", ".", "**",
        ]
        let text = (0..<Int.random(in: 0...4, using: &random)).map { _ in pick(pieces, &random) }.joined()
        return Bool.random(using: &random) ? "/" + text : text
    }

    static func url(_ random: inout SeededRandom) -> String {
        let pieces = ["/", "a", "A", "b", "ab", "/a", "1", "é", "%41", "%2F", "%C3%89", "%FF", ".", "/a/b", "*"]
        func text(_ maximum: Int) -> String {
            (0..<Int.random(in: 0...maximum, using: &random)).map { _ in pick(pieces, &random) }.joined()
        }
        var url = "https://www.example.com/" + text(4)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: url += "?" + text(2)
        case 1: url += "?a=" + text(2) + "&A=" + text(1)
        case 2: url += "?a=" + text(1) + "&a=" + text(1) + "&bA=1"
        case 3: url += "#" + text(2)
        default: break
        }
        return url
    }

    static func pick<Element>(_ elements: [Element], _ random: inout SeededRandom) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }
}

extension RandomFiles {
    static func draft(_ random: inout SeededRandom) -> Draft {
        let entries = (0..<Int.random(in: 1...2, using: &random)).map { index in
            let apps = index == 0 ? ["ABCDE12345.a", "ABCDE12345.b"] : ["ABCDE12345.c"]
            let rules = (0..<Int.random(in: 1...4, using: &random)).map {
                Rule(id: "r\(index)\($0)", fields: fields(&random))
            }
            return Draft.Entry(
                id: "e\(index)", apps: apps, rules: Int.random(in: 0..<12, using: &random) == 0 ? nil : rules,
                defaults: Int.random(in: 0..<5, using: &random) == 0 ? fields(&random) : RuleFields())
        }
        return Draft(
            entries: entries, defaults: Int.random(in: 0..<6, using: &random) == 0 ? fields(&random) : RuleFields(),
            substitutionVariables: [
                Draft.StringList(name: "v", values: ["a", "b*", "a/b"]),
                Draft.StringList(name: "w", values: ["", "É"]),
            ])
    }

    private static func fields(_ random: inout SeededRandom) -> RuleFields {
        func flag(_ one: Int, _ random: inout SeededRandom) -> Bool? {
            Int.random(in: 0..<one, using: &random) == 0 ? Bool.random(using: &random) : nil
        }
        return RuleFields(
            path: Int.random(in: 0..<5, using: &random) > 0 ? pattern(&random) : nil,
            query: pick([nil, nil, nil, .whole("*"), .whole("a*"), .items([("a", pattern(&random))])], &random),
            fragment: pick([nil, nil, nil, nil, "*", pattern(&random)], &random), exclude: flag(2, &random),
            caseSensitive: flag(3, &random), percentEncoded: flag(3, &random))
    }
}

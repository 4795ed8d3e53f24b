import AASA
import StrictJSON

/// Random small association files. They use few apps and few patterns, so that two files have much in common.
struct AlikeFiles {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func file() -> Association {
        var applinks: JSONObject = ["details": .array((0..<Int.random(in: 0...4, using: &random)).map { _ in entry() })]
        if chance(3) { applinks["defaults"] = component(["caseSensitive", "percentEncoded", "exclude", "?"]) }
        if chance(3) { applinks["substitutionVariables"] = variables() }
        if chance(8) { applinks["apps"] = ["ABCDE12345.a"] }
        var root: JSONObject = ["applinks": .object(applinks)]
        if chance(3) { root["webcredentials"] = ["apps": .array(apps())] }
        if chance(8) { root["odd"] = ["deep": ["x": .int(Int.random(in: 0...2, using: &random)), "y": 1]] }
        return Association(root: root)
    }

    /// The file with a few random changes.
    mutating func mutation(of file: Association) -> Association {
        var root = file.root
        guard var applinks = root["applinks"]?.object, var details = applinks["details"]?.array, !details.isEmpty else {
            return self.file()
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<details.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: details[place] = entry()
            case 1: details.shuffle(using: &random)
            case 2: applinks["defaults"] = component(["caseSensitive", "percentEncoded"])
            case 3: applinks["substitutionVariables"] = variables()
            default: details[place] = withRulesChanged(details[place])
            }
        }
        applinks["details"] = .array(details)
        root["applinks"] = .object(applinks)
        return Association(root: root)
    }

    private mutating func withRulesChanged(_ entry: JSONValue) -> JSONValue {
        guard var object = entry.object, var rules = object["components"]?.array else { return self.entry() }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !rules.isEmpty: rules.remove(at: Int.random(in: rules.indices, using: &random))
        case 1: rules.shuffle(using: &random)
        case 2 where !rules.isEmpty: rules[Int.random(in: rules.indices, using: &random)] = component()
        default: rules.insert(component(), at: Int.random(in: 0...rules.count, using: &random))
        }
        object["components"] = .array(rules)
        return .object(object)
    }

    private mutating func entry() -> JSONValue {
        var object = JSONObject()
        if chance(3) {
            object["appID"] = pick(["ABCDE12345.a", "ABCDE12345.b"])
        } else {
            object["appIDs"] = .array(apps())
        }
        if chance(4) {
            object["paths"] = .array((0..<Int.random(in: 0...3, using: &random)).map { _ in path() })
        }
        if !chance(5) {
            object["components"] = .array((0..<Int.random(in: 0...5, using: &random)).map { _ in component() })
        }
        if chance(5) { object["defaults"] = component(["caseSensitive", "percentEncoded", "#"]) }
        if chance(8) { object["odd"] = .int(Int.random(in: 0...2, using: &random)) }
        return .object(object)
    }

    private mutating func apps() -> [JSONValue] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            pick(["ABCDE12345.a", "ABCDE12345.b", "abcde12345.a", "ABCDE12345.c", "ABCDE12345.d"])
        }
    }

    private mutating func path() -> JSONValue {
        pick([
            "/a", "/a/", "a", "//a", "/a/*", "/A/*", "*", "/*", "**", "*/b", "/a/*/b", "NOT /a/b", "not /a/*",
            "/$(v)/x",
            "/a b", "/a%20b", "/?", "/??*", "\\x", "/$(digit)", "/$(none)", "/$(", 7,
        ])
    }

    private mutating func component(_ keys: [String]? = nil) -> JSONValue {
        if chance(30) { return 7 }
        var object = JSONObject()
        for key in keys ?? ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment", "odd"] {
            guard chance(key == "/" ? 2 : 4) else { continue }
            object[key] =
                switch key {
                case "/": path()
                case "?":
                    pick(["", "*", "a=1", "a=*", ["a": "1"], ["a": "*"], ["a": "?*", "b": "$(v)"], [:], ["a": 1], 3])
                case "#": pick(["", "*", "f", "F?", "$(v)"])
                case "comment": pick(["one", "two"])
                default: pick([true, false, nil, 1])
                }
        }
        return .object(object)
    }

    private mutating func variables() -> JSONValue {
        pick([["v": ["1", "x*"]], ["v": ["x*", "1", "2"]], ["v": "a", "w": []], ["v": []], ["digit": ["b"]]])
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func pick(_ values: [JSONValue]) -> JSONValue { values.randomElement(using: &random) ?? .null }
}

import AASA
import StrictJSON

/// A case of `Fixtures/cases.json`.
struct ConformanceCase {
    struct Outcome {
        let id: String
        let certainty: String
        let layer: String
        let differences: [String]

        /// Whether the expectation comes from Apple's own tool or documentation.
        var isCertain: Bool { ["observed", "documented"].contains(certainty) }
    }

    let json: JSONValue

    static func all() throws -> [ConformanceCase] {
        let limits = JSONLimits(bytes: 4 << 20, depth: 64)
        let document = try JSONDocument(parsing: Fixture.bytes("Fixtures/cases.json"), limits: limits)
        return document.root.array?.map(ConformanceCase.init(json:)) ?? []
    }

    /// `os` is the first system with the features of the case. The case applies to this and all later systems, except
    /// for "9-12 only". Features of iOS 14 and later have not changed since.
    private var system: SystemVersion { json["os"]?.string == "9-12 only" ? .ios9 : .latest }

    /// The actual result; nil if the case cannot be read.
    var evaluation: Evaluation? {
        guard let file = json["aasa"]?.object, let url = json["url"]?.string else { return nil }
        let domain = json["layer"]?.string == "system" ? json["domain"]?.string : nil
        return Association(root: file).evaluate(url, entitlementDomain: domain, os: system)
    }

    var outcome: Outcome {
        let id = json["id"]?.string ?? "?"
        var differences: [String] = []
        func compare(_ what: String, _ found: String?, _ expected: String?) {
            if found != expected { differences.append("\(what) is \(found ?? "nil"), not \(expected ?? "nil")") }
        }
        if let evaluation {
            let expected = json["expected"]
            let wanted = expected?["per_app"]?.object?.members ?? []
            let installed = json["installed"]?.array?.compactMap(\.string) ?? wanted.map(\.name)
            let apps = evaluation.apps.filter { installed.contains($0.app) }
            let winner = apps.first { $0.outcome == .opens }?.app
            compare("the app", winner, expected?["app"]?.string)
            let excluded = winner == nil && apps.contains { $0.outcome == .excluded }
            compare("excluded", String(excluded), expected?["excluded"]?.bool.map { String($0) })
            for app in wanted {
                let outcome = evaluation.apps.first { $0.app == app.name }?.outcome ?? .none
                compare(app.name, Self.word(outcome), app.value.string)
            }
        } else {
            differences.append("the case is not readable")
        }
        return Outcome(
            id: id, certainty: json["certainty"]?.string ?? "?", layer: json["layer"]?.string ?? "?",
            differences: differences)
    }

    private static func word(_ outcome: Evaluation.Outcome) -> String {
        switch outcome {
        case .opens: "match"
        case .excluded: "exclude"
        case .none: "none"
        }
    }
}

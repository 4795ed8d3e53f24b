import StrictJSON

@testable import AASA

/// The index must give the same verdict as trying every rule in order, and the work must stay within its budget.
///
/// The input is a URL, a line feed and a file. If the file is not JSON, a file is generated from the bytes, so that the
/// fuzzer can test the matcher without generating valid JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let mark = input.firstIndex(of: 0x0A) ?? input.endIndex
    let url = String(decoding: input[..<mark], as: UTF8.self)
    let rest = Array(input[mark...].dropFirst())
    let association = (try? Association(parsing: rest)) ?? MadeFile.association(rest)
    let compiled = CompiledAssociation(association)
    let evaluation = compiled.evaluate(url)
    decider.compare(url, compiled, evaluation)
    if evaluation.ineligibility?.code == .tooComplex { return 0 }
    guard let parts = try? URLParts(url) else {
        precondition(evaluation.ineligibility != nil)
        return 0
    }
    precondition(evaluation.ineligibility == nil)
    precondition(evaluation.apps == inOrder(association, ComparedURL(parts)))
    return 0
}

nonisolated(unsafe) private let decider = UsedAgain()

/// A single decider for all inputs, so that leftover state from one input is detected in the next.
private final class UsedAgain {
    private var decider = Decider()

    func compare(_ url: String, _ compiled: CompiledAssociation, _ evaluation: Evaluation) {
        let decision = decider.decide(url, by: compiled)
        precondition(decision.outcome == evaluation.outcome)
        precondition(decision.ineligibility == evaluation.ineligibility?.code)
        precondition(decision.app.map { compiled.appIDs[$0] } == evaluation.app)
        for (place, app) in evaluation.apps.enumerated() {
            precondition(decider.verdict(ofApp: place)?.outcome == app.outcome)
        }
    }
}

private func inOrder(_ association: Association, _ url: ComparedURL) -> [Evaluation.AppVerdict] {
    let variables = VariableTable(association.applinks?["substitutionVariables"])
    let defaults = association.defaults(os: .latest)
    var seen: Set<[UInt8]> = []
    return association.entries(os: .latest).flatMap { entry in
        let apps = entry.apps.map(\.normalized).filter { seen.insert(Array($0.utf8)).inserted }
        let rules = apps.isEmpty ? [] : RuleReading.rules(of: entry, fileDefaults: defaults, os: .latest)
        let decisive = rules?.lazy.map { CompiledRule($0.component, at: $0.pointer, variables: variables) }
            .first { rule in
                var budget = MatchBudget()
                return rule.matches(url, &budget)
            }
        let outcome: Evaluation.Outcome =
            rules == nil ? .opens : decisive.map { $0.excludes ? .excluded : .opens } ?? .none
        let pointer = rules == nil ? entry.pointer : decisive?.pointer
        return apps.map { Evaluation.AppVerdict(app: $0, outcome: outcome, decidedBy: pointer) }
    }
}

/// A file generated from any bytes. Each byte selects the next element. Letters are used unchanged.
private enum MadeFile {
    static func association(_ bytes: [UInt8]) -> Association {
        var rest = bytes[...]
        var entries: [JSONValue] = []
        while !rest.isEmpty, entries.count < 8 {
            var components: [JSONValue] = []
            while let byte = rest.popFirst(), byte != 0xFF { components.append(component(byte, &rest)) }
            entries.append(["appIDs": [.string("ABCDE12345.app\(entries.count)")], "components": .array(components)])
        }
        return Association(root: [
            "applinks": [
                "details": .array(entries),
                "substitutionVariables": ["v": ["a", "ab", "é"], "w": ["a*", "?b", ""], "n": []],
            ]
        ])
    }

    private static func component(_ kind: UInt8, _ rest: inout ArraySlice<UInt8>) -> JSONValue {
        var component = JSONObject()
        if kind & 1 != 0 { component["/"] = .string(pattern(&rest)) }
        if kind & 2 != 0 { component["?"] = .string(pattern(&rest)) }
        if kind & 6 == 4 { component["?"] = .object([pattern(&rest): .string(pattern(&rest))]) }
        if kind & 8 != 0 { component["#"] = .string(pattern(&rest)) }
        if kind & 16 != 0 { component["exclude"] = true }
        if kind & 32 != 0 { component["caseSensitive"] = false }
        if kind & 64 != 0 { component["percentEncoded"] = false }
        return .object(component)
    }

    private static func pattern(_ rest: inout ArraySlice<UInt8>) -> String {
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        var text = ""
        for scalar in String(decoding: rest[..<end], as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 1: text += "$(v)"
            case 2: text += "$(w)"
            case 3: text += "$(n)"
            case 4: text += "$(digit)"
            case 5: text += "$(lang)"
            default: text.unicodeScalars.append(scalar)
            }
        }
        rest = rest[end...].dropFirst()
        return text
    }
}

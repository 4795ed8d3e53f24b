import AASA
import StrictJSON

/// Malicious files and URLs that are slow to evaluate. Doubling their size should at most double the time, and the
/// worst time is limited.
enum HostileBenchmark {
    private struct Case: Sendable {
        let name: String
        /// The pattern for a size.
        let pattern: @Sendable (Int) -> String
        var values: [String] = []
    }

    private static let cases = [
        Case(name: "*a*a*a…b*", pattern: { "/" + String(repeating: "*a", count: $0) + "b*" }),
        Case(name: "*aaa…b*", pattern: { "/*" + String(repeating: "a", count: $0) + "b*" }),
        Case(name: "*?a*?a…b*", pattern: { "/" + String(repeating: "*?a", count: $0) + "b*" }),
        Case(
            name: "$(v)$(v)…b*, 20 values", pattern: { "/" + String(repeating: "$(v)", count: $0) + "b*" },
            values: (1...20).map { String(repeating: "a", count: $0) }),
        Case(
            name: "$(v)$(v)…b*, values with wildcards", pattern: { "/" + String(repeating: "$(v)", count: $0) + "b*" },
            values: ["a*", "*a", "?a", "a*a*a"]),
    ]

    static func run() {
        for hostile in cases {
            let times = Stopwatch.compare(
                rounds: 5, duration: 0.02,
                [(200, 2_000), (400, 2_000), (200, 4_000)].map { size, length in
                    work(association([hostile.pattern(size)], hostile.values), length)
                })
            print(
                "\(hostile.name): \(Stopwatch.text(times[0] * 1e6)) µs; pattern doubled "
                    + "\(Stopwatch.text(times[1] / times[0])) ×, text doubled \(Stopwatch.text(times[2] / times[0])) ×")
        }
        for hostile in cases + [evenWorse] { measureWorst(hostile) }
    }

    /// A pattern with many different bytes and lengths.
    private static let evenWorse = Case(
        name: "*$(v)*$(v)…, 400 values", pattern: { String(repeating: "*$(v)", count: $0) },
        values: (1...400).map { String(repeating: "a", count: $0 / 8) + "\($0)" })

    /// A file of 128 KiB with many such patterns, and a URL of 8 kB.
    private static func measureWorst(_ hostile: Case) {
        var patterns: [String] = []
        for size in [30, 400, 4_000] {
            patterns.removeAll()
            let pattern = hostile.pattern(size)
            let room = 130_000 - hostile.values.reduce(0) { $0 + $1.utf8.count + 3 }
            while (patterns.count + 1) * (pattern.utf8.count + 8) < room { patterns.append(pattern) }
            let association = association(patterns, hostile.values)
            var decider = Decider()
            let url = "https://example.com/" + String(repeating: "a", count: 8_000)
            var refused = false
            let time = Stopwatch.compare(
                rounds: 3, duration: 0.001,
                [{ refused = decider.decide(url, by: association).ineligibility == .tooComplex }])
            print(
                "128 KiB of \(patterns.count) × \(hostile.name), 8 kB: \(Stopwatch.text(time[0] * 1e3)) ms"
                    + (refused ? ", refused" : ""))
        }
    }

    private static func association(_ patterns: [String], _ values: [String]) -> CompiledAssociation {
        CompiledAssociation(
            Association(root: [
                "applinks": [
                    "details": [
                        [
                            "appIDs": ["ABCDE12345.com.example.app"],
                            "components": .array(patterns.map { .object(["/": .string($0)]) }),
                        ]
                    ],
                    "substitutionVariables": ["v": .array(values.map { .string($0) })],
                ]
            ]))
    }

    private static func work(_ association: CompiledAssociation, _ length: Int) -> () -> Void {
        let url = "https://example.com/" + String(repeating: "a", count: length)
        let bench = Bench()
        return { bench.decide(url, association) }
    }

    private final class Bench {
        private var decider = Decider()
        private var opened = 0

        func decide(_ url: String, _ association: CompiledAssociation) {
            if decider.decide(url, by: association).app != nil { opened += 1 }
        }
    }
}

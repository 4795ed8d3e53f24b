import Testing

@Suite("Metrics")
struct MetricTests {
    @Test("every metric has a help text and is listed in docs/operations/monitoring.md, and no other is")
    func described() throws {
        let descriptions = "Sources/waymark/Observing/MetricDescriptions.swift"
        var used: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources") where file.path != descriptions {
            for line in file.lines { used.formUnion(metrics(of: line.matches(of: /label: "(waymark_\w+)"/))) }
        }
        #expect(used.count > 30)
        let helped = try SourceTree.file(descriptions).lines.flatMap {
            metrics(of: $0.matches(of: /^ *"(waymark_\w+)":/))
        }
        #expect(Set(helped) == used)
        let rows = try SourceTree.file("docs/operations/monitoring.md").lines.filter { $0.hasPrefix("| `waymark_") }
        let documented = rows.compactMap { $0.split(separator: "|").first }.flatMap {
            metrics(of: $0.matches(of: /`(waymark_\w+)(?:\{[^}]*\})?`/))
        }
        #expect(Set(documented) == used)
    }

    private func metrics(of matches: [Regex<(Substring, Substring)>.Match]) -> [String] {
        matches.map { String($0.output.1) }
    }
}

import AASA
import Foundation
import StrictJSON

/// Compares linting a file of the maximum size, with its rules in few or many entries, with only parsing it.
enum LintBenchmark {
    /// Measures invented files. With a folder, also measures its files, and other files built from their rules.
    static func run(folder: String?) {
        compare("invented", LintSample.file)
        guard let folder else { return }
        let files = Corpus.files(in: folder)
        measureLargest(files)
        let rules = Corpus.components(of: files)
        guard !rules.isEmpty else { return }
        compare("components of \(folder)") { count, entries in
            // A step without a common divisor, so that adjacent rules are spread.
            LintSample.file(rules: (0..<count).map { rules[$0 * 7_919 % rules.count] }, entries: entries)
        }
    }

    private static func compare(_ name: String, _ file: (_ rules: Int, _ entries: Int) -> [UInt8]) {
        print("rules: \(name)")
        for entries in [1, 4, 10, 50] {
            let files = [500, 1_000, 2_000].map { file($0, entries) }
            let data = Data(files[1])
            var found = 0
            var works: [() -> Void] = files.map { bytes in { found += Association.lint(bytes).findings.count } }
            works.append { if (try? JSONSerialization.jsonObject(with: data)) != nil { found += 1 } }
            let times = Stopwatch.compare(rounds: 7, duration: 0.02, works)
            print(
                "1,000 rules in \(entries) entries, \(describe(files[1])): \(Stopwatch.text(times[1] * 1e3)) ms, "
                    + "\(Stopwatch.text(times[1] / times[3])) × JSONSerialization's; doubled "
                    + "\(Stopwatch.text(times[1] / times[0])) × and \(Stopwatch.text(times[2] / times[1])) ×")
            if isCut(files[2]) { print("2,000 rules: not fully analysed") }
        }
    }

    private static func measureLargest(_ files: [[UInt8]]) {
        let largest = files.sorted { $0.count > $1.count }.prefix(20)
        var slowest = (time: 0.0, bytes: 0)
        for bytes in largest {
            var found = 0
            let time = Stopwatch.compare(
                rounds: 3, duration: 0.005, [{ found += Association.lint(bytes).findings.count }])
            if time[0] > slowest.time { slowest = (time[0], bytes.count) }
        }
        print(
            "the \(largest.count) largest files: \(Stopwatch.text(slowest.time * 1e3)) ms at most, for "
                + "\(slowest.bytes) bytes; \(largest.count(where: isCut)) not fully analysed")
    }

    private static func describe(_ bytes: [UInt8]) -> String {
        let report = Association.lint(bytes)
        return "\(bytes.count) bytes, \(report.findings.count) findings" + (isCut(bytes) ? ", not fully analysed" : "")
    }

    private static func isCut(_ bytes: [UInt8]) -> Bool {
        Association.lint(bytes).findings.contains { $0.code == .notFullyAnalysed }
    }
}

/// Files in a folder outside of this project.
private enum Corpus {
    static func files(in folder: String) -> [[UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { FileManager.default.contents(atPath: folder + "/" + $0).map { Array($0) } }
    }

    /// All rules, as the texts of components.
    static func components(of files: [[UInt8]]) -> [String] {
        files.flatMap { file -> [String] in
            guard let association = try? Association(parsing: file) else { return [] }
            return (association.root["applinks"]?["details"]?.array ?? []).flatMap { entry in
                if let components = entry["components"]?.array { return components.map(text) }
                return (entry["paths"]?.array ?? []).compactMap(\.string).map { path in
                    let excludes = path.hasPrefix("NOT ")
                    let pattern = text(.string(excludes ? String(path.dropFirst(4)) : path))
                    return excludes ? #"{"/":\#(pattern),"exclude":true}"# : #"{"/":\#(pattern)}"#
                }
            }
        }
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.bytes(), as: UTF8.self) }
}

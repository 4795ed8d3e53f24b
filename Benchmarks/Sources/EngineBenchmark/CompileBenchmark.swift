import AASA
import Foundation

/// Compares reading and compiling a file of Apple's maximum size with Foundation, which only parses it.
enum CompileBenchmark {
    static func run() {
        let bytes = largest()
        let data = Data(bytes)
        var rules = 0
        let times = Stopwatch.compare([
            {
                if let association = try? Association(parsing: bytes) {
                    rules += CompiledAssociation(association).appIDs.count
                }
            },
            { if (try? Association(parsing: bytes)) != nil { rules += 1 } },
            { if (try? JSONSerialization.jsonObject(with: data)) != nil { rules += 1 } },
        ])
        print("\(bytes.count) bytes")
        let names = ["parse and compile", "parse alone", "JSONSerialization"]
        for (name, time) in zip(names, times) {
            print("\(name): \(Stopwatch.text(time * 1e3)) ms, \(Stopwatch.text(time / times[2])) × JSONSerialization's")
        }
    }

    private static func largest() -> [UInt8] {
        var patterns: [String] = []
        var bytes: [UInt8] = []
        while true {
            for _ in 0..<40 { patterns.append("/section-\(patterns.count)/page/*") }
            let next = Sample.file([("ABCDE12345.com.example.app", patterns)]).bytes
            if next.count > Association.maximumSize { return bytes }
            bytes = next
        }
    }
}

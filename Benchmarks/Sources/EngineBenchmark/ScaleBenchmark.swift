import AASA

/// Measures the cost of a decision when the file grows but the number of possible matches does not.
enum ScaleBenchmark {
    static func run() {
        let files = [16, 256, 1_024].map { count in
            let patterns = (0..<count).map { "/section\($0 * 7_919 % 10_007)/*" }
            return (
                count: count,
                association: CompiledAssociation(Sample.file([("ABCDE12345.com.example.app", patterns)])),
                url: "https://www.example.com/section\((count - 1) * 7_919 % 10_007)/page/1?from=mail"
            )
        }
        var decider = Decider()
        var opened = 0
        let works: [() -> Void] = files.map { file in
            { if decider.decide(file.url, by: file.association).app != nil { opened += 1 } }
        }
        let times = Stopwatch.compare(works)
        for (file, time) in zip(files, times) {
            print(
                "\(file.count) rules: \(Stopwatch.text(time * 1e9)) ns a URL, "
                    + "\(Stopwatch.text(time / times[0])) × that of 16")
        }
    }
}

import AASA

/// Compares the engine with alternatives and with itself. Every result is a ratio within one run. With a folder of
/// files as its argument, it measures only lint, and includes these files.
@main
enum EngineBenchmark {
    static func main() {
        if let folder = CommandLine.arguments.dropFirst().first { return LintBenchmark.run(folder: folder) }
        print("== Decide 8 URLs against 8 apps × 16 rules, for all apps ==")
        DecisionBenchmark.run()
        print("\n== 1,024 rules against 16 ==")
        ScaleBenchmark.run()
        print("\n== Parse and compile 128 KiB ==")
        CompileBenchmark.run()
        print("\n== Lint 1,000 rules, and half and twice as many ==")
        LintBenchmark.run(folder: nil)
        print("\n== Patterns made to be slow ==")
        HostileBenchmark.run()
    }
}

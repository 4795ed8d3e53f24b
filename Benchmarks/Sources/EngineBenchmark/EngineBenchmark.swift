import AASA

/// The engine against what one would use instead, and against itself: every figure is a ratio within one run.
@main
enum EngineBenchmark {
    static func main() {
        print("== Decide 8 URLs against 8 apps × 16 rules, for all apps ==")
        DecisionBenchmark.run()
        print("\n== 1,024 rules against 16 ==")
        ScaleBenchmark.run()
        print("\n== Parse and compile 128 KiB ==")
        CompileBenchmark.run()
        print("\n== Patterns made to be slow ==")
        HostileBenchmark.run()
    }
}

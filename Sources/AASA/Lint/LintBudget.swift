/// How much work the analysis of rules may do, in comparisons of one character.
///
/// Comparing rules with each other costs, at worst, the square of their number. Files made for people stay far below:
/// 1,000 rules shaped like real ones need about a tenth. What runs out of it gets the finding "not fully analysed"
/// (WM009) instead of an answer that takes seconds.
struct LintBudget {
    /// Some tens of milliseconds.
    static let perFile = 1_500_000

    private var remaining = LintBudget.perFile

    /// Takes a share for one piece of work; false, and nothing left, if there is not that much.
    mutating func spend(_ steps: Int) -> Bool {
        remaining -= steps
        return remaining > 0
    }

    /// Whether some work has been left undone.
    var isExhausted: Bool { remaining <= 0 }
}

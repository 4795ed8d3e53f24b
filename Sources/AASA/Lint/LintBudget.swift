/// A limit for the work of comparing rules. The unit is a comparison of one character.
///
/// In the worst case, the cost of comparing rules grows with the square of their number. Typical files stay far below
/// the limit: 1,000 typical rules use about a tenth of it. A file that exceeds the limit gets the finding "not fully
/// checked" (WM009), so that lint never takes seconds.
struct LintBudget {
    /// The budget for a file. It allows some tens of milliseconds.
    static let perFile = 1_500_000

    private var remaining = LintBudget.perFile

    /// Takes some of the budget. Returns false if the budget is exhausted.
    mutating func spend(_ steps: Int) -> Bool {
        remaining -= steps
        return remaining > 0
    }

    /// Whether the budget is exhausted. Some checks were then skipped.
    var isExhausted: Bool { remaining <= 0 }
}

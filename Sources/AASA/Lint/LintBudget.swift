/// A limit for the work of comparing rules, counted in comparisons of one character.
///
/// In the worst case, comparing rules costs the square of their number. Real files stay far below the limit: 1,000
/// rules like those of real files use about a tenth. A file that exceeds it gets the finding "not fully checked"
/// (WM009) instead of an answer that takes seconds.
struct LintBudget {
    /// Takes some tens of milliseconds.
    static let perFile = 1_500_000

    private var remaining = LintBudget.perFile

    /// Uses some of the budget. Returns false if it is exhausted.
    mutating func spend(_ steps: Int) -> Bool {
        remaining -= steps
        return remaining > 0
    }

    /// Whether the budget is used up, so that some work was left out.
    var isExhausted: Bool { remaining <= 0 }
}

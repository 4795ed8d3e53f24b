/// One thing that is wrong with an expression.
public struct CronFault: Hashable, Sendable, CustomStringConvertible {
    /// The field that it is in; `nil` for the expression as a whole.
    public let field: CronField?
    /// Where it begins: characters of the expression, from 1.
    public let column: Int
    /// Stable, for programs.
    public let code: String
    /// What is wrong, and what to write instead.
    public let detail: String

    /// `hour (column 3): 24 is not between 0 and 23`
    public var description: String {
        field.map { "\($0.rawValue) (column \(column)): \(detail)" } ?? "column \(column): \(detail)"
    }
}

/// A text that is no expression, or one that never comes.
public struct InvalidCronExpression: Error, Hashable, Sendable, CustomStringConvertible {
    /// All that is wrong, in the expression's order; at least one.
    public let faults: [CronFault]

    /// One fault after the other.
    public var description: String { faults.map(\.description).joined(separator: "; ") }
}

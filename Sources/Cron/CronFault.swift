/// A fault in an expression.
public struct CronFault: Hashable, Sendable, CustomStringConvertible {
    /// The field with the fault, or `nil` for the expression as a whole.
    public let field: CronField?
    /// The start of the fault, in characters of the expression, counted from 1.
    public let column: Int
    /// A stable code for programs.
    public let code: String
    /// The error message: the problem and the remedy.
    public let detail: String

    /// `hour (column 3): 24 is not between 0 and 23`
    public var description: String {
        field.map { "\($0.rawValue) (column \(column)): \(detail)" } ?? "column \(column): \(detail)"
    }
}

/// The text is not a valid expression, or its time never occurs.
public struct InvalidCronExpression: Error, Hashable, Sendable, CustomStringConvertible {
    /// All faults, in the order of the expression. There is at least one.
    public let faults: [CronFault]

    /// All faults, separated by semicolons.
    public var description: String { faults.map(\.description).joined(separator: "; ") }
}

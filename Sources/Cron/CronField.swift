/// The five fields of an expression, in order.
public enum CronField: String, CaseIterable, Sendable {
    /// 0 to 59.
    case minute
    /// 0 to 23.
    case hour
    /// 1 to 31.
    case dayOfMonth = "day of month"
    /// 1 to 12, or JAN to DEC.
    case month
    /// 0 to 7, or SUN to SAT. 0 and 7 are Sunday.
    case dayOfWeek = "day of week"

    /// The valid numbers.
    var bounds: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// The accepted names for numbers. The first name means the lower bound.
    var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        default: []
        }
    }
}

import FoundationEssentials

extension Date {
    /// The time at the beginning of log lines: `2026-11-23 06:26:46 UTC`. It does not depend on the locale or time
    /// zone, so that lines from several machines can be compared and searched.
    var onTerminal: String {
        let style = Date.ISO8601FormatStyle(
            dateTimeSeparator: .space, timeZone: .gmt)
        return formatted(style).replacing("Z", with: "") + " UTC"
    }
}

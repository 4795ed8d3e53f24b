import FoundationEssentials

extension Date {
    /// The time as lines for people begin with it: `2026-11-23 06:26:46 UTC`. The same for every locale and time zone,
    /// so that lines of several machines can be compared and searched.
    var onTerminal: String {
        let style = Date.ISO8601FormatStyle(
            dateTimeSeparator: .space, timeZone: .gmt)
        return formatted(style).replacing("Z", with: "") + " UTC"
    }
}

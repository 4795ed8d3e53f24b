import Glibc
import StrictJSON

/// A publication's steps at a terminal.
enum PublicationProgress {
    private static let isColored = isatty(STDERR_FILENO) == 1 && getenv("NO_COLOR") == nil

    /// A line for each step.
    static func lines(of publication: JSONValue) -> [String] {
        (publication["steps"]?.array ?? []).map { line($0, publication) }
    }

    private static func line(_ step: JSONValue, _ publication: JSONValue) -> String {
        let kind = step["step"]?.string ?? ""
        let cause = step["cause"]?.line.map { ": \($0)" } ?? ""
        let words =
            switch kind {
            case "made": made(publication)
            case "claimed": "attempt \(step["attempt"]?.number?.int ?? 1)"
            case "postponed":
                "attempt \(step["attempt"]?.number?.int ?? 1) failed\(cause); the next one at \(step["nextAt"]?.string ?? "")"
            default: kind + cause
            }
        return "\(step["at"]?.string ?? "")  \(colored(words, color(kind)))"
    }

    private static func made(_ publication: JSONValue) -> String {
        let version = publication["version"]?.number?.int ?? 0
        let due = publication["at"]?.string.map { ", due at \($0)" } ?? ""
        let follows = publication["follows"]?.string.map { ", after publication \($0)" } ?? ""
        let reach = publication["effectiveBy"]?.string.map { ", to have reached devices by \($0)" } ?? ""
        return "made, of version \(version)\(due)\(reach)\(follows)"
    }

    /// ECMA-48, select graphic rendition: green, yellow, red.
    private static func color(_ step: String) -> Int? {
        switch step {
        case "live": 32
        case "postponed": 33
        case "failed", "cancelled", "superseded", "suspended": 31
        default: nil
        }
    }

    private static func colored(_ text: String, _ color: Int?) -> String {
        guard isColored, let color else { return text }
        return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }
}

import Glibc
import StrictJSON

/// Texts about the steps of a publication.
enum PublicationProgress {
    private static let isColored = isatty(STDERR_FILENO) == 1 && getenv("NO_COLOR") == nil

    /// A line for each step.
    static func lines(of publication: JSONValue) -> [String] {
        (publication["steps"]?.array ?? []).map { line($0, publication) }
    }

    private static func line(_ step: JSONValue, _ publication: JSONValue) -> String {
        let kind = step["step"]?.string ?? ""
        let cause = step["cause"]?.line
        let attempt = step["attempt"]?.number?.int ?? 1
        let words =
            switch kind {
            case "made": created(publication)
            case "claimed": "attempt \(attempt)"
            case "postponed":
                ending("attempt \(attempt) failed", cause) + "; next attempt at \(step["nextAt"]?.string ?? "")"
            default: ending(kind, cause)
            }
        return "\(step["at"]?.string ?? "")  \(colored(words, color(kind)))"
    }

    /// A text such as "suspended: …". If the cause begins with the state, such as "cancelled by …", only the cause.
    static func ending(_ state: String, _ cause: String?) -> String {
        guard let cause else { return state }
        return cause.hasPrefix(state) ? cause : "\(state): \(cause)"
    }

    private static func created(_ publication: JSONValue) -> String {
        let version = publication["version"]?.number?.int ?? 0
        let due = publication["at"]?.string.map { ", due at \($0)" } ?? ""
        let follows = publication["follows"]?.string.map { ", after publication \($0)" } ?? ""
        let reach = publication["effectiveBy"]?.string.map { ", on devices by \($0)" } ?? ""
        return "version \(version) created\(due)\(reach)\(follows)"
    }

    /// The color codes of ECMA-48 (select graphic rendition): green, yellow, red.
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

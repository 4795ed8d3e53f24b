import AASA
import FoundationEssentials
import Storage

/// The apps that have links in the live file, but not in a new one.
///
/// A replacement explains why an app is missing. It must have been made in the draft after the live file was saved, and
/// the new app must be in the new file but not in the live file. If two apps were replaced with the same app, one of
/// them still counts as missing. If the new app was later replaced too, that replacement is also followed.
struct RemovedApps {
    /// The maximum number of apps that the text lists. It also says how many there are.
    private static let maximumNamed = 5

    private struct Replaced {
        let app: String
        let replacement: String
        let at: Date
    }

    private let missing: [String]
    private let replaced: [Replaced]

    /// - Parameter replacements: The replacements in the draft since the live file was saved, oldest first.
    init(from live: [UInt8], to file: [UInt8], _ replacements: [ReplacedApp]) {
        let old = (try? Association(parsing: live).appIDs) ?? []
        let new = (try? Association(parsing: file)).map { Set($0.appIDs) } ?? Set(old)
        var taken = Set(old)
        var missing: [String] = []
        var replaced: [Replaced] = []
        for app in old where !new.contains(app) {
            if let last = Self.last(of: app, replacements), new.contains(last.replacement),
                taken.insert(last.replacement).inserted
            {
                replaced.append(last)
            } else {
                missing.append(app)
            }
        }
        self.missing = missing.sorted()
        self.replaced = replaced
    }

    /// The app that finally replaced `app`, after all replacements. `nil` if it was not replaced.
    private static func last(of app: String, _ replacements: [ReplacedApp]) -> Replaced? {
        replacements.reduce(nil) { last, next in
            guard next.app.description == last?.replacement ?? app else { return last }
            return Replaced(app: app, replacement: next.replacement.description, at: next.at)
        }
    }

    /// A text that lists the missing apps without a replacement, or `nil` if every missing app was replaced.
    var fault: String? {
        missing.isEmpty ? nil : "This file lacks apps of the live file: \(Self.named(missing))."
    }

    /// A text that lists the replaced apps, or `nil` if no app was replaced.
    var remark: String? {
        let day = Date.ISO8601FormatStyle().year().month().day()
        let each = replaced.map { "\($0.app) was replaced with \($0.replacement) on \($0.at.formatted(day))" }
        return each.isEmpty ? nil : "Similar to the live file. \(Self.named(each))."
    }

    private static func named(_ texts: [String]) -> String {
        let more = texts.count - maximumNamed
        return texts.prefix(maximumNamed).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}

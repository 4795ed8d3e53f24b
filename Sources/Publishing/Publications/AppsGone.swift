import AASA
import FoundationEssentials
import Storage

/// The apps that get links from the live file and not from a new one.
///
/// A replacement explains a missing app if it was made in the draft after the live file was saved, and the new app is
/// in the new file and was not in the live one. If two apps have become one, one of them is missing. A replacement of
/// the new app is followed.
struct AppsGone {
    /// How many are named. All count.
    private static let mostNamed = 5

    private struct Replaced {
        let app: String
        let replacement: String
        let at: Date
    }

    private let missing: [String]
    private let replaced: [Replaced]

    /// - Parameter replacements: the replacements in the draft since the live file was saved, in order.
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

    /// The app that stands for an app after all replacements; `nil` if it was not replaced.
    private static func last(of app: String, _ replacements: [ReplacedApp]) -> Replaced? {
        replacements.reduce(nil) { last, next in
            guard next.app.description == last?.replacement ?? app else { return last }
            return Replaced(app: app, replacement: next.replacement.description, at: next.at)
        }
    }

    /// The apps that no replacement explains, in words; `nil` if there are none.
    var fault: String? {
        missing.isEmpty ? nil : "This file lacks apps of the live file: \(Self.named(missing))."
    }

    /// The apps that replacements explain, in words; `nil` if there are none.
    var remark: String? {
        let day = Date.ISO8601FormatStyle().year().month().day()
        let each = replaced.map { "\($0.app) was replaced with \($0.replacement) on \($0.at.formatted(day))" }
        return each.isEmpty ? nil : "Similar to the live file. \(Self.named(each))."
    }

    private static func named(_ texts: [String]) -> String {
        let more = texts.count - mostNamed
        return texts.prefix(mostNamed).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}

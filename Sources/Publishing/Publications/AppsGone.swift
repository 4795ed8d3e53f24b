import AASA
import FoundationEssentials
import Storage

/// The apps to which the live file gives links and a new one does not.
///
/// A replacement accounts for one when it was made in the draft since the live file was frozen, and the app that came
/// stands in the new file and did not in the live one: where two apps have become one, one of them is gone. A replacement
/// of the app that came is followed on.
struct AppsGone {
    /// So many are named; all count.
    private static let mostNamed = 5

    private struct Replaced {
        let app: String
        let replacement: String
        let at: Date
    }

    private let missing: [String]
    private let replaced: [Replaced]

    /// - Parameter replacements: those made in the draft since the live file was frozen, in their order.
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

    /// What stands in the place of an app after all replacements; `nil` where there was none.
    private static func last(of app: String, _ replacements: [ReplacedApp]) -> Replaced? {
        replacements.reduce(nil) { last, next in
            guard next.app.description == last?.replacement ?? app else { return last }
            return Replaced(app: app, replacement: next.replacement.description, at: next.at)
        }
    }

    /// What no replacement accounts for, in words; `nil` where there is nothing.
    var fault: String? {
        missing.isEmpty ? nil : "This file lacks apps of the live file: \(Self.named(missing))."
    }

    /// What replacements account for, in words; `nil` where there is nothing.
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

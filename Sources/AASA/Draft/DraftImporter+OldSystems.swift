import StrictJSON

/// Imports for iOS 9 to 12, which read only `appID` and `paths`.
extension DraftImporter {
    /// Whether the draft's file stays within the size limit. For iOS 9 to 12, an entry is written once for each app.
    static func canServeOldSystems(_ draft: Draft, imported association: Association) -> Bool {
        var size = 0
        for entry in draft.entries {
            size += entry.json.bytes().count * max(entry.uniqueApps.count, 1)
            if size > 8 * Association.maximumSize { return false }
        }
        return draft.association().bytes.count <= max(Association.maximumSize, association.bytes.count)
    }

    /// Records each app that iOS 9 to 12 treat differently after the import.
    mutating func noteOldSystems(_ association: Association, _ draft: Draft) {
        let generated = draft.association()
        let (before, after) = (OldReading(association), OldReading(generated))
        let (kept, still) = (before.apps.filter { after[$0] != nil }, after.apps.filter { before[$0] != nil })
        if !zip(kept, still).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) {
            let details = JSONPointer(tokens: ["applinks", "details"])
            note(.changed, details, "the order of the apps changes on iOS 9 to 12")
        }
        noteOldPaths(before, after, of: kept, changes: OldChanges(association, generated))
        for app in before.apps where after[app] == nil && (1...AppID.maximumLength).contains(app.utf8.count) {
            guard let entry = before[app] else { continue }
            note(
                .dropped, entry.pointer,
                "URLs no longer open \(app) on iOS 9 to 12, because the entry is not for this app since iOS 13")
        }
        let elements = draft.entriesOfElements
        for app in after.apps where before[app] == nil {
            guard let entry = after[app],
                let place = draft.place(at: entry.pointer, among: elements).flatMap({ self.place(of: $0.entry) })
            else { continue }
            note(.changed, place, "iOS 9 to 12 did not read this entry for \(app), but will now")
        }
    }

    private mutating func noteOldPaths(
        _ before: OldReading, _ after: OldReading, of apps: [String], changes: OldChanges
    ) {
        let named = Set(items.map(\.pointer))
        for app in apps {
            guard let old = before[app], let new = after[app], old.pathValues != new.pathValues else { continue }
            let paths = old.pathValues == nil ? old.pointer : old.pointer.appending("paths")
            if old.comparedPaths != new.comparedPaths {
                note(.changed, paths, changes.sentence(about: app))
            } else if !named.contains(paths) {
                note(.changed, paths, "now generated from the rules, with the same meaning on iOS 9 to 12")
            }
        }
    }
}

extension Association {
    /// Whether an app has universal links on iOS 9 to 12. These systems reject many files completely.
    var servesOldSystems: Bool {
        LegacyRejection.reason(self) == nil && entries(os: .ios9).contains { !$0.apps.isEmpty }
    }
}

/// The entry that iOS 9 to 12 use for each app of a file.
private struct OldReading {
    /// The apps, in order.
    private(set) var apps: [String] = []
    private var entries: [[UInt8]: EntryReading] = [:]

    init(_ association: Association) {
        guard association.servesOldSystems else { return }
        for entry in association.entries(os: .ios9) {
            // "Same app in two details items: the first item wins" [REP].
            for app in entry.apps.map(\.normalized) where entries[Array(app.utf8)] == nil {
                entries[Array(app.utf8)] = entry
                apps.append(app)
            }
        }
    }

    /// The entry that iOS 9 to 12 use for an app.
    subscript(app: String) -> EntryReading? { entries[Array(app.utf8)] }
}

extension EntryReading {
    /// The elements of `paths`. If `nil`, the entry has no `paths` and opens every URL.
    fileprivate var pathValues: [JSONValue]? {
        if case .paths(let values, _) = patterns { values } else { nil }
    }

    /// The paths that iOS 9 to 12 compare, in order and in normal form.
    fileprivate var comparedPaths: [String] {
        (pathValues ?? ["*"]).reduce(into: OrderedTexts()) { result, value in
            guard let entry = PathEntry(value) else { return result.append("*") }
            let path = String(decoding: PathNormalization.normalized(Array(entry.path.utf8)), as: UTF8.self)
            for spelling in LegacyPaths.spellings(path) { result.append(entry.excludes ? "NOT \(spelling)" : spelling) }
        }.texts
    }
}

/// Texts in order, without duplicates. If two paths are the same, the first one decides.
private struct OrderedTexts {
    private(set) var texts: [String] = []
    private var seen: Set<[UInt8]> = []

    mutating func append(_ text: String) {
        if seen.insert(Array(text.utf8)).inserted { texts.append(text) }
    }
}

/// Finds the changes on iOS 9 to 12 with sample URLs. The samples are evaluated on first use.
private final class OldChanges {
    private let before: Association
    private let after: Association
    private lazy var difference = before.difference(
        to: after, samples: 200, systems: [.ios9], steps: Difference.usualSteps / 10)
    private lazy var examples: [String: (url: String, opened: Bool)] = {
        let changes = difference.outcomes.flatMap { outcome in outcome.apps.map { (outcome.url, $0) } }
        return Dictionary(
            changes.filter { ($1.before.outcome == .opens) != ($1.after.outcome == .opens) }
                .map { url, change in (change.app, (url, change.before.outcome == .opens)) },
            uniquingKeysWith: { first, _ in first })
    }()

    init(_ before: Association, _ after: Association) { (self.before, self.after) = (before, after) }

    func sentence(about app: String) -> String {
        guard let example = examples[app] else {
            let urls = difference.urls.tried
            return
                "iOS 9 to 12 get different \"paths\", generated from the rules; none of \(urls) sample URLs changes for \(app)"
        }
        return example.opened
            ? "on iOS 9 to 12, \(app) opened \(example.url), but no longer will"
            : "on iOS 9 to 12, \(app) did not open \(example.url), but will now"
    }
}

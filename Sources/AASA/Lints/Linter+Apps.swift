import StrictJSON

/// App IDs: well-formed, registered, each in one entry, none from an example.
extension Linter {
    func lintApps() {
        var notified: Set<AppID> = []
        var placeholders: [(text: String, pointer: JSONPointer)] = []
        for (text, pointer) in mentions {
            do {
                let app = try AppID(text)
                if let registered, !registered.contains(app), notified.insert(app).inserted {
                    add(.unregisteredApp(text), pointer)
                }
                if Placeholder.isLikely(app), !placeholders.contains(where: { $0.text == text }) {
                    placeholders.append((text, pointer))
                }
            } catch {
                add(.malformedAppID(text, reason: error.detail), pointer, fix: capitals(text, pointer))
            }
        }
        if let first = placeholders.first {
            add(.placeholderAppID(first.text, others: placeholders.count - 1), first.pointer)
        }
        lintEntries()
    }

    private func lintEntries() {
        var first: [[UInt8]: JSONPointer] = [:]
        for entry in entries.map(\.reading) {
            if entry.apps.isEmpty { add(.entryWithoutApps, entry.pointer, fix: removal(ofEntry: entry.pointer)) }
            for app in entry.apps {
                let id = Array(app.normalized.utf8)
                if let earlier = first[id] {
                    add(.repeatedApp(app.text, first: earlier.description), app.pointer)
                } else {
                    first[id] = app.pointer
                }
            }
        }
        for entry in entries.map(\.reading) {
            // "`appIDs`: if it is an array it is used and `appID` is ignored" [OBS]. Where the app has its place in
            // another entry, the file means it for iOS 9 to 12.
            guard let object = association.root[entry.pointer], object["appIDs"]?.array != nil,
                let app = object["appID"]?.string, !entry.apps.isEmpty
            else { continue }
            let id = EntryReading.App(text: app, pointer: entry.pointer).normalized
            if first[Array(id.utf8)] == nil { add(.ignoredAppID(app), entry.pointer.appending("appID")) }
        }
        let details = association.applinks?["details"]
        if association.applinks != nil, entries.isEmpty, details == nil || details?.array?.isEmpty == true {
            add(.emptyApplinks, JSONPointer(tokens: ["applinks"]))
        }
    }

    /// An entry that names no app "contributes nothing" [OBS], so nothing is lost with it.
    private func removal(ofEntry pointer: JSONPointer) -> Fix? {
        source.removal(of: pointer).map { Fix(title: "Remove this entry", keepsOutcomes: true, edits: [$0]) }
    }

    /// "The prefix is uppercased" [REP], so capitals change nothing on the systems that do it.
    private func capitals(_ text: String, _ pointer: JSONPointer) -> Fix? {
        let normalized = EntryReading.App(text: text, pointer: pointer).normalized
        guard normalized != text, (try? AppID(normalized)) != nil,
            let edit = source.replacement(of: pointer, with: .string(normalized))
        else { return nil }
        return Fix(title: "Write the prefix in capitals", keepsOutcomes: true, edits: [edit])
    }

    /// Every app ID that counts, and where it stands.
    private var mentions: [(text: String, pointer: JSONPointer)] {
        var mentions = entries.flatMap { $0.reading.apps.map { ($0.text, $0.pointer) } }
        for member in association.root.members where member.name != "applinks" {
            let pointer = JSONPointer(tokens: [member.name, "apps"])
            for (index, app) in (member.value["apps"]?.array ?? []).enumerated() {
                if let text = app.string { mentions.append((text, pointer.appending(index))) }
            }
        }
        return mentions
    }
}

/// App IDs as examples, tutorials and templates have them.
private enum Placeholder {
    private static let prefixes: Set = [
        "ABCDE12345", "1234567890", "ABCDEFGHIJ", "A1B2C3D4E5", "12345ABCDE", "ABCD123456", "ABCD1234EF", "XXXXXXXXXX",
        "TEAMID1234", "YOURTEAMID", "TEAMIDHERE", "0123456789",
    ]

    private static let bundleParts: Set = [
        "example", "yourcompany", "mycompany", "yourapp", "yourdomain", "your-app", "your-company",
    ]

    static func isLikely(_ app: AppID) -> Bool {
        let prefix = app.prefix.rawValue.utf8
        if prefixes.contains(app.prefix.rawValue) || Set(prefix).count == 1 { return true }
        let parts = app.bundleID.rawValue.lowercased().split(separator: ".")
        return parts.prefix(2).contains { bundleParts.contains(String($0)) }
    }
}

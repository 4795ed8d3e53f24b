import StrictJSON

/// App IDs: well-formed, registered, each in one entry, none from an example.
extension Linter {
    func lintApps() {
        var notified: Set<AppID> = []
        var (samples, placeholders) = (Alike(), Alike())
        var numbers: Set<TeamID> = []
        for (text, pointer) in mentions {
            do {
                let app = try AppID(text)
                if let registered, !registered.contains(app), notified.insert(app).inserted {
                    add(.unregisteredApp(text), pointer)
                }
                if Placeholder.isTeam(app.prefix) {
                    placeholders.note(text, pointer)
                } else if Placeholder.isLikely(app) {
                    samples.note(text, pointer)
                } else if app.prefix.isNumber, numbers.insert(app.prefix).inserted {
                    add(.numericPrefix(app.prefix.rawValue), pointer)
                }
            } catch {
                let trimmed = Characters.trimmed(text)
                let reason =
                    if Placeholder.isUnfilled(text) {
                        "holds a placeholder that was not filled in"
                    } else if (try? AppID(trimmed)) != nil {
                        "begins or ends with white space"
                    } else { error.detail }
                add(
                    .malformedAppID(text, reason: reason), pointer,
                    fix: capitals(text, pointer) ?? withoutSpace(trimmed, pointer))
            }
        }
        hasPlaceholder = samples.first != nil || placeholders.first != nil
        if let first = placeholders.first {
            add(.placeholderTeamID(first.text, others: placeholders.texts.count - 1), first.pointer)
        }
        if let first = samples.first {
            add(.placeholderAppID(first.text, others: samples.texts.count - 1), first.pointer)
        }
        lintSimilarApps()
        lintEntries()
    }

    private func lintEntries() {
        var first: [[UInt8]: JSONPointer] = [:]
        for entry in entries {
            if entry.reading.apps.isEmpty { lintEntryWithoutApps(entry.reading) }
            for app in entry.reading.apps {
                let id = Array(app.normalized.utf8)
                if let earlier = first[id] {
                    report(app, of: entry, again: earlier)
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
        lintServices()
        lintAppClips(first)
        let details = association.applinks?["details"]
        let applinks = JSONPointer(tokens: ["applinks"])
        if association.applinks != nil, entries.isEmpty, details == nil || details?.array?.isEmpty == true,
            !causes.lie(in: applinks)
        {
            add(.emptyService("applinks"), key: applinks)
        }
    }

    /// An app twice in one list is one too many; in two entries, "the first item wins, the later one is dropped" [REP].
    private func report(_ app: EntryReading.App, of entry: EntryShape, again first: JSONPointer) {
        guard app.pointer.parent == first.parent, isText(app.pointer), let key = first.parent?.tokens.last else {
            let example = urlOfLaterEntry(entry, app)
            return add(.repeatedApp(app.text, first: first.description, example: example), app.pointer)
        }
        add(.listedTwice(app.text, key: key), app.pointer, fix: removal(ofApp: app.pointer))
    }

    /// So many examples are made for a file, each from so many rules.
    private static let (examples, rulesForExample) = (16, 4)

    /// A URL that a later entry of an app opens and its first one does not.
    private func urlOfLaterEntry(_ entry: EntryShape, _ app: EntryReading.App) -> String? {
        examplesOfLaterEntries += 1
        guard examplesOfLaterEntries <= Self.examples,
            let place = compiled.appIDs.firstIndex(where: { $0.utf8.elementsEqual(app.normalized.utf8) })
        else { return nil }
        let urls =
            entry.rules.map { rules in
                rules.filter { !$0.excludes && !$0.isDefective }.prefix(Self.rulesForExample)
                    .compactMap { ExampleURL.meeting($0, nil, &budget) }
            } ?? ["/"]
        return urls.first { url in
            guard decide(url) != nil else { return false }
            return verdict(ofApp: place)?.outcome != .opens
        }
    }

    private func lintServices() {
        for member in association.root.members where member.name != "applinks" {
            let place = JSONPointer(tokens: [member.name, "apps"])
            var known: Set<[UInt8]> = []
            for (index, app) in (member.value["apps"]?.array ?? []).enumerated() {
                guard let text = app.string else { continue }
                let pointer = place.appending(index)
                let id = EntryReading.App(text: text, pointer: pointer).normalized
                if !known.insert(Array(id.utf8)).inserted {
                    add(.listedTwice(text, key: "apps"), pointer, fix: removal(ofApp: pointer))
                }
            }
        }
    }

    /// An App Clip's bundle ID is that of its app with one part more (Apple, "Creating an App Clip with Xcode").
    private func lintAppClips(_ apps: [[UInt8]: JSONPointer]) {
        let place = JSONPointer(tokens: ["appclips", "apps"])
        var told: Set<[UInt8]> = []
        for (index, clip) in (association.root["appclips"]?["apps"]?.array ?? []).enumerated() {
            guard let text = clip.string else { continue }
            let pointer = place.appending(index)
            let id = Array(EntryReading.App(text: text, pointer: pointer).normalized.utf8)
            // A clip of an app that is there has the right ID, and is only one too many in `applinks`.
            let parent = id.lastIndex(of: UInt8(ascii: ".")).map { Array(id[..<$0]) }
            let isClip = parent.map { apps[$0] != nil } ?? false
            if apps[id] != nil, !isClip, told.insert(id).inserted { add(.appAndClip(text), pointer) }
        }
    }

    private func removal(ofApp pointer: JSONPointer) -> Fix? {
        source.removal(of: pointer).map { Fix(title: "Remove it here", keepsOutcomes: true, edits: [$0]) }
    }

    /// An entry that names no app "contributes nothing" [OBS].
    private func lintEntryWithoutApps(_ entry: EntryReading) {
        guard let object = association.root[entry.pointer]?.object else { return }
        let keys = ["appIDs", "appID"]
        if let member = causes.unreadMember(of: object, at: entry.pointer, meaning: keys) {
            return add(.entryWithoutApps(unread: member.tokens.last), behind: member, meaning: keys)
        }
        add(.entryWithoutApps(unread: nil), entry.pointer, fix: removal(ofEntry: object, entry.pointer))
    }

    /// Where the entry has no rules either, nothing is lost with it.
    private func removal(ofEntry object: JSONObject, _ pointer: JSONPointer) -> Fix? {
        let lists = [object["components"], object["paths"]].compactMap(\.self)
        guard lists.allSatisfy({ $0.array?.isEmpty ?? false }), !causes.lie(in: pointer) else { return nil }
        return source.removal(of: pointer).map { Fix(title: "Remove this entry", keepsOutcomes: true, edits: [$0]) }
    }

    /// Whether an app ID stands at its pointer. In the legacy form it is the name of an entry, and its pointer leads to
    /// the entry.
    private func isText(_ pointer: JSONPointer) -> Bool { association.root[pointer]?.string != nil }

    /// "The prefix is uppercased" [REP], so capitals change nothing on the systems that do it.
    private func capitals(_ text: String, _ pointer: JSONPointer) -> Fix? {
        let normalized = EntryReading.App(text: text, pointer: pointer).normalized
        guard normalized != text, isText(pointer), (try? AppID(normalized)) != nil,
            let edit = source.replacement(of: pointer, with: .string(normalized))
        else { return nil }
        return Fix(title: "Write the prefix in capitals", keepsOutcomes: true, edits: [edit])
    }

    /// The app counts from then on.
    private func withoutSpace(_ trimmed: String, _ pointer: JSONPointer) -> Fix? {
        guard isText(pointer), (try? AppID(trimmed)) != nil,
            let edit = source.replacement(of: pointer, with: .string(trimmed))
        else { return nil }
        return Fix(title: "Remove the white space", keepsOutcomes: false, edits: [edit])
    }

    /// Every app ID that counts, and where it stands.
    var mentions: [(text: String, pointer: JSONPointer)] {
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

/// App IDs that are reported together, at the place of the first.
private struct Alike {
    private(set) var first: (text: String, pointer: JSONPointer)?
    private(set) var texts: Set<[UInt8]> = []

    mutating func note(_ text: String, _ pointer: JSONPointer) {
        if first == nil { first = (text, pointer) }
        texts.insert(Array(text.utf8))
    }
}

/// App IDs as examples, tutorials and templates have them.
private enum Placeholder {
    private static let prefixes: Set = [
        "ABCDE12345", "1234567890", "ABCDEFGHIJ", "A1B2C3D4E5", "12345ABCDE", "ABCD123456", "ABCD1234EF", "0123456789",
        // Of Apple's.
        "9JA89QQLNQ",
    ]

    private static let bundleParts: Set = [
        "example", "yourcompany", "mycompany", "yourapp", "yourdomain", "your-app", "your-company",
    ]

    /// Whether an app ID holds what a build or a template was to fill in.
    static func isUnfilled(_ text: String) -> Bool {
        ["$(", "${", "{{", "<", "%("].contains { text.contains($0) }
    }

    /// Whether a prefix says that a Team ID belongs here. Among the prefixes that Apple gives, which look random, less
    /// than one in 100,000 does so by chance.
    static func isTeam(_ prefix: TeamID) -> Bool {
        let text = prefix.rawValue
        return Set(text.utf8).count == 1 || ["TEAM", "YOUR", "PREFIX", "XXXXX"].contains { text.contains($0) }
    }

    static func isLikely(_ app: AppID) -> Bool {
        if prefixes.contains(app.prefix.rawValue) { return true }
        let parts = app.bundleID.rawValue.lowercased().split(separator: ".")
        return parts.prefix(2).contains { bundleParts.contains(String($0)) }
    }
}

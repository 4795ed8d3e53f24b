import StrictJSON

/// Checks that each app ID is valid, registered, in only one entry, and not from an example.
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
                    if let prefix = Placeholder.team(in: text) {
                        "begins with the placeholder \"\(prefix)\""
                    } else if Placeholder.isUnfilled(text) {
                        "contains a placeholder that was not filled in"
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
            // "`appIDs`: if it is an array it is used and `appID` is ignored" [OBS]. If another entry names the app,
            // this `appID` is for iOS 9 to 12.
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

    /// Reports an app that appears twice. In one list, the second is redundant; in two entries, "the first item wins,
    /// the later one is dropped" [REP].
    private func report(_ app: EntryReading.App, of entry: EntryShape, again first: JSONPointer) {
        guard app.pointer.parent == first.parent, isText(app.pointer), let key = first.parent?.tokens.last else {
            let example = urlOfLaterEntry(entry, app)
            return add(.repeatedApp(app.text, first: first.description, example: example), app.pointer)
        }
        add(.listedTwice(app.text, key: key), app.pointer, fix: removal(ofApp: app.pointer))
    }

    /// The maximum number of examples in a file, and the maximum number of rules that are tried for each.
    private static let (examples, rulesForExample) = (16, 4)

    /// A URL that a later entry of an app opens but its first entry does not.
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

    /// Checks App Clip IDs. An App Clip's bundle ID is its app's bundle ID plus one part (Apple, "Creating an App Clip
    /// with Xcode").
    private func lintAppClips(_ apps: [[UInt8]: JSONPointer]) {
        let place = JSONPointer(tokens: ["appclips", "apps"])
        var told: Set<[UInt8]> = []
        for (index, clip) in (association.root["appclips"]?["apps"]?.array ?? []).enumerated() {
            guard let text = clip.string else { continue }
            let pointer = place.appending(index)
            let id = Array(EntryReading.App(text: text, pointer: pointer).normalized.utf8)
            // If the app is listed too, the App Clip's ID is right, and only redundant in `applinks`.
            let parent = id.lastIndex(of: UInt8(ascii: ".")).map { Array(id[..<$0]) }
            let isClip = parent.map { apps[$0] != nil } ?? false
            if apps[id] != nil, !isClip, told.insert(id).inserted { add(.appAndClip(text), pointer) }
        }
    }

    private func removal(ofApp pointer: JSONPointer) -> Fix? {
        source.removal(of: pointer).map { Fix(title: "Remove this app ID", keepsOutcomes: true, edits: [$0]) }
    }

    /// Reports an entry that names no app. It "contributes nothing" [OBS].
    private func lintEntryWithoutApps(_ entry: EntryReading) {
        guard let object = association.root[entry.pointer]?.object else { return }
        let keys = ["appIDs", "appID"]
        if let member = causes.unreadMember(of: object, at: entry.pointer, meaning: keys) {
            return add(.entryWithoutApps(unread: member.tokens.last), behind: member, meaning: keys)
        }
        add(.entryWithoutApps(unread: nil), entry.pointer, fix: removal(ofEntry: object, entry.pointer))
    }

    /// Removes an entry without apps. The fix is offered only if the entry has no rules either, so nothing is lost.
    private func removal(ofEntry object: JSONObject, _ pointer: JSONPointer) -> Fix? {
        let lists = [object["components"], object["paths"]].compactMap(\.self)
        guard lists.allSatisfy({ $0.array?.isEmpty ?? false }), !causes.lie(in: pointer) else { return nil }
        return source.removal(of: pointer).map { Fix(title: "Remove this entry", keepsOutcomes: true, edits: [$0]) }
    }

    /// Whether the pointer of an app ID refers to a string. In the legacy form, the ID is the name of an entry, and the
    /// pointer refers to the entry.
    private func isText(_ pointer: JSONPointer) -> Bool { association.root[pointer]?.string != nil }

    /// Converts the prefix to capital letters. "The prefix is uppercased" [REP], so this changes nothing on systems
    /// that do so.
    private func capitals(_ text: String, _ pointer: JSONPointer) -> Fix? {
        let normalized = EntryReading.App(text: text, pointer: pointer).normalized
        guard normalized != text, isText(pointer), (try? AppID(normalized)) != nil,
            let edit = source.replacement(of: pointer, with: .string(normalized))
        else { return nil }
        return Fix(title: "Write the prefix in capitals", keepsOutcomes: true, edits: [edit])
    }

    /// Removes white space. The app ID then becomes valid, so outcomes change.
    private func withoutSpace(_ trimmed: String, _ pointer: JSONPointer) -> Fix? {
        guard isText(pointer), (try? AppID(trimmed)) != nil,
            let edit = source.replacement(of: pointer, with: .string(trimmed))
        else { return nil }
        return Fix(title: "Remove the white space", keepsOutcomes: false, edits: [edit])
    }

    /// Every app ID that iOS reads, with its place.
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

/// App IDs that one finding reports together. The finding is at the place of the first.
private struct Alike {
    private(set) var first: (text: String, pointer: JSONPointer)?
    private(set) var texts: Set<[UInt8]> = []

    mutating func note(_ text: String, _ pointer: JSONPointer) {
        if first == nil { first = (text, pointer) }
        texts.insert(Array(text.utf8))
    }
}

/// App IDs from examples, tutorials and templates.
private enum Placeholder {
    private static let prefixes: Set = [
        "ABCDE12345", "1234567890", "ABCDEFGHIJ", "A1B2C3D4E5", "12345ABCDE", "ABCD123456", "ABCD1234EF", "0123456789",
        // From Apple.
        "9JA89QQLNQ",
    ]

    private static let bundleParts: Set = [
        "example", "yourcompany", "mycompany", "yourapp", "yourdomain", "your-app", "your-company",
    ]

    /// The prefix of an invalid app ID if it is a placeholder, as in `TEAM_ID.com.example.app`.
    static func team(in text: String) -> String? {
        let prefix = String(text.prefix { $0 != "." })
        return isPlaceholder(prefix) ? prefix : nil
    }

    /// Whether an app ID contains a placeholder that a build or a template should have replaced.
    static func isUnfilled(_ text: String) -> Bool {
        ["$(", "${", "{{", "<", "%("].contains { text.contains($0) }
    }

    /// Whether a prefix is a placeholder for a Team ID. Apple's prefixes look random. The probability that one looks
    /// like a placeholder is below 1 in 100,000.
    static func isTeam(_ prefix: TeamID) -> Bool {
        let text = prefix.rawValue
        return Set(text.utf8).count == 1 || isPlaceholder(text)
    }

    /// Only capital letters count, because bundle IDs can also begin with "team".
    private static func isPlaceholder(_ prefix: String) -> Bool {
        ["TEAM", "YOUR", "PREFIX", "XXXXX"].contains { prefix.contains($0) }
    }

    static func isLikely(_ app: AppID) -> Bool {
        if prefixes.contains(app.prefix.rawValue) { return true }
        let parts = app.bundleID.rawValue.lowercased().split(separator: ".")
        return parts.prefix(2).contains { bundleParts.contains(String($0)) }
    }
}

import StrictJSON

/// App IDs: well-formed, registered, each in one entry.
extension Linter {
    mutating func lintApps() {
        var notified: Set<AppID> = []
        for (text, pointer) in mentions {
            do {
                let app = try AppID(text)
                if let registered, !registered.contains(app), notified.insert(app).inserted {
                    add(.unregisteredApp(text), pointer)
                }
            } catch {
                add(.malformedAppID(text, reason: error.detail), pointer)
            }
        }
        lintEntries()
    }

    private mutating func lintEntries() {
        var first: [[UInt8]: JSONPointer] = [:]
        for entry in association.entries(os: .latest) {
            if entry.apps.isEmpty { add(.entryWithoutApps, entry.pointer) }
            for app in entry.apps {
                let id = Array(app.normalized.utf8)
                if let earlier = first[id] {
                    add(.repeatedApp(app.text, first: earlier.description), app.pointer)
                } else {
                    first[id] = app.pointer
                }
            }
        }
    }

    /// Every app ID that counts, and where it stands.
    private var mentions: [(text: String, pointer: JSONPointer)] {
        var mentions = association.entries(os: .latest).flatMap { $0.apps.map { ($0.text, $0.pointer) } }
        for member in association.root.members where member.name != "applinks" {
            let pointer = JSONPointer(tokens: [member.name, "apps"])
            for (index, app) in (member.value["apps"]?.array ?? []).enumerated() {
                if let text = app.string { mentions.append((text, pointer.appending(index))) }
            }
        }
        return mentions
    }
}

import StrictJSON

/// Finds app IDs that should be the same. A typo in one of two services is easy to miss, because each ID is valid.
extension Linter {
    /// The maximum number of apps to compare. A file with more apps was probably generated, so typos are unlikely.
    private static let limit = 64

    func lintSimilarApps() {
        var places: [AppID: (services: Set<String>, first: JSONPointer)] = [:]
        var apps: [AppID] = []
        for (text, pointer) in mentions {
            guard let app = try? AppID(EntryReading.App(text: text, pointer: pointer).normalized) else { continue }
            if places[app] == nil { apps.append(app) }
            places[app, default: ([], pointer)].services.insert(pointer.tokens.first ?? "")
        }
        guard apps.count <= Self.limit else { return }
        for (index, app) in apps.enumerated() {
            let other = apps[..<index].first { other in
                guard app.isSlip(of: other), let mine = places[app], let theirs = places[other] else { return false }
                return mine.services.isDisjoint(with: theirs.services)
            }
            if let other, let place = places[app] {
                add(.similarAppIDs(app.rawValue, other: other.rawValue), place.first)
            }
        }
    }
}

extension AppID {
    /// Whether the two IDs differ only in one character, or one of them has one more character. Bundle IDs that differ
    /// only in a digit are not reported, because they usually belong to two apps.
    fileprivate func isSlip(of other: AppID) -> Bool {
        if prefix != other.prefix {
            return bundleID == other.bundleID && Self.difference(prefix.rawValue, other.prefix.rawValue) != nil
        }
        guard let difference = Self.difference(bundleID.rawValue, other.bundleID.rawValue) else { return false }
        return !difference.contains { (0x30...0x39).contains($0) }
    }

    /// The single character in which two texts differ, from each text. `nil` if they are equal or differ in more
    /// characters.
    private static func difference(_ first: String, _ second: String) -> [UInt8]? {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = zip(a[start...].reversed(), b[start...].reversed()).prefix { $0 == $1 }.count
        let rest = (a[start...].dropLast(end), b[start...].dropLast(end))
        return rest.0.count <= 1 && rest.1.count <= 1 && !(rest.0.isEmpty && rest.1.isEmpty)
            ? Array(rest.0 + rest.1) : nil
    }
}

extension TeamID {
    /// Whether the prefix has only digits. This happens by chance for 1 in 370,000 random IDs.
    var isNumber: Bool { rawValue.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

public import StrictJSON

/// Where a file names an app: the answer to "is my app in this file?".
public struct AppMentions: Hashable, Sendable {
    /// A place that counts.
    public struct Place: Hashable, Sendable {
        /// The service, such as `applinks`.
        public let service: String
        /// Where the app ID stands; in the old form of `details`, the entry of that name.
        public let pointer: JSONPointer
    }

    /// The app that was asked about.
    public let app: AppID
    /// The places, in file order; none if no service names the app.
    public let places: [Place]
    /// Where no service names the app, an ID that was probably meant: another prefix, or a slip; nil if none is near.
    public let similar: String?
}

extension Association {
    /// Where the services of the file name an app, as the latest systems read them: an `appID` beside `appIDs`, for one,
    /// does not count.
    public func mentions(of app: AppID) -> AppMentions {
        var places: [AppMentions.Place] = []
        var others: [String] = []
        func note(_ found: EntryReading.App, _ service: String) {
            if found.normalized == app.rawValue {
                places.append(AppMentions.Place(service: service, pointer: found.pointer))
            } else {
                others.append(found.text)
            }
        }
        for entry in entries(os: .latest) {
            for found in entry.apps { note(found, "applinks") }
        }
        for service in Self.services where service != "applinks" {
            let pointer = JSONPointer(tokens: [service, "apps"])
            for (index, value) in (root[service]?["apps"]?.array ?? []).enumerated() {
                guard let text = value.string else { continue }
                note(EntryReading.App(text: text, pointer: pointer.appending(index)), service)
            }
        }
        return AppMentions(app: app, places: places, similar: places.isEmpty ? Self.similar(to: app, in: others) : nil)
    }

    /// The same of a file's bytes; what cannot be read names no app.
    public static func mentions(of app: AppID, in bytes: [UInt8]) -> AppMentions {
        (try? Association(parsing: bytes))?.mentions(of: app) ?? AppMentions(app: app, places: [], similar: nil)
    }

    /// The same bundle ID under another prefix goes before a slip of the hand.
    private static func similar(to app: AppID, in others: [String]) -> String? {
        let ending = ".\(app.bundleID)".lowercased()
        return others.first { $0.lowercased().hasSuffix(ending) } ?? NearestName.of(app.rawValue, among: others)
    }
}

extension AppMentions {
    /// For programs: `{"app", "places": [{"service", "pointer"}], "similar": ID | null}`.
    public var json: JSONValue {
        let places = places.map { place -> JSONValue in
            ["service": .string(place.service), "pointer": .string(place.pointer.description)]
        }
        return [
            "app": .string(app.rawValue), "places": .array(places), "similar": similar.map { .string($0) } ?? .null,
        ]
    }

    /// For people: one sentence, or two.
    public var sentence: String {
        guard !places.isEmpty else {
            return "\(app) is not in this file." + (similar.map { " Did you mean \($0)?" } ?? "")
        }
        let named = places.prefix(8).map { "\($0.service) (\($0.pointer))" }.joined(separator: ", ")
        return "\(app) is in \(named)" + (places.count > 8 ? " and \(places.count - 8) more places." : ".")
    }
}

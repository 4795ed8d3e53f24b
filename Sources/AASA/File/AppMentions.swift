public import StrictJSON

/// The places where a file names an app. Use it to check whether your app is in a file.
public struct AppMentions: Hashable, Sendable {
    /// A place that iOS reads.
    public struct Place: Hashable, Sendable {
        /// The service, such as `applinks`.
        public let service: String
        /// The place of the app ID. In the legacy form of `details`, the app ID is an entry's key, and this is the
        /// place of the entry.
        public let pointer: JSONPointer
    }

    /// The app that was searched for.
    public let app: AppID
    /// The places, in file order. Empty if no service names the app.
    public let places: [Place]
    /// A similar app ID in the file, if no service names the app: the same bundle ID with another prefix, or an app ID
    /// that differs by a typo. Otherwise `nil`.
    public let similar: String?
}

extension Association {
    /// The places where the file's services name an app. Includes only the places that the latest systems read. An
    /// `appID` next to an `appIDs` array is left out.
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

    /// Same as ``mentions(of:)``, for a file's bytes. If the bytes are not a readable file, there are no places.
    public static func mentions(of app: AppID, in bytes: [UInt8]) -> AppMentions {
        (try? Association(parsing: bytes))?.mentions(of: app) ?? AppMentions(app: app, places: [], similar: nil)
    }

    /// The first ID with the app's bundle ID. If no ID has it, the ID that differs from the app ID only by a typo, or
    /// `nil`.
    private static func similar(to app: AppID, in others: [String]) -> String? {
        let ending = ".\(app.bundleID)".lowercased()
        return others.first { $0.lowercased().hasSuffix(ending) } ?? NearestName.of(app.rawValue, among: others)
    }
}

extension AppMentions {
    /// The mentions as JSON: `{"app", "places": [{"service", "pointer"}], "similar": ID | null}`.
    public var json: JSONValue {
        let places = places.map { place -> JSONValue in
            ["service": .string(place.service), "pointer": .string(place.pointer.description)]
        }
        return [
            "app": .string(app.rawValue), "places": .array(places), "similar": similar.map { .string($0) } ?? .null,
        ]
    }

    /// The mentions as one or two sentences.
    public var sentence: String {
        guard !places.isEmpty else {
            return "\(app) is not in this file." + (similar.map { " Did you mean \($0)?" } ?? "")
        }
        let named = places.prefix(8).map { "\($0.service) (\($0.pointer))" }.joined(separator: ", ")
        return "\(app) is in \(named)" + (places.count > 8 ? " and \(places.count - 8) more places." : ".")
    }
}

public import StrictJSON

/// The places where a file names an app. They answer the question "is my app in this file?".
public struct AppMentions: Hashable, Sendable {
    /// A place that iOS reads.
    public struct Place: Hashable, Sendable {
        /// The service, such as `applinks`.
        public let service: String
        /// The app ID in the file. In the old form of `details`, the entry with that name.
        public let pointer: JSONPointer
    }

    /// The app in question.
    public let app: AppID
    /// The places, in file order. Empty if no service names the app.
    public let places: [Place]
    /// A similar ID that was probably meant, with another prefix or a typo. Only set if no service names the app.
    public let similar: String?
}

extension Association {
    /// The places where services of the file name an app, as the latest systems read them. For example, an `appID` next
    /// to `appIDs` does not count.
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

    /// Same as ``mentions(of:)``, for a file's bytes. If the file cannot be read, the result is empty.
    public static func mentions(of app: AppID, in bytes: [UInt8]) -> AppMentions {
        (try? Association(parsing: bytes))?.mentions(of: app) ?? AppMentions(app: app, places: [], similar: nil)
    }

    /// An ID with the same bundle ID and another prefix; otherwise an ID with a typo.
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

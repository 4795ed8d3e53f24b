import StrictJSON

/// The ways in which a file uses an app.
public struct AppUse: Hashable, Sendable {
    /// The number of rules that open the app: the opening rules of all elements of `details` that name it.
    public var rules: Int
    /// The number of rules that exclude URLs from opening the app.
    public var excludes: Int
    /// Whether an element without rules names the app. Such an element matches every URL.
    public var everything: Bool
    /// The services that name the app, in the order of the file, such as `applinks`.
    public var services: [String]

    /// Creates a use. By default it is empty.
    public init(rules: Int = 0, excludes: Int = 0, everything: Bool = false, services: [String] = []) {
        self.rules = rules
        self.excludes = excludes
        self.everything = everything
        self.services = services
    }
}

extension Association {
    /// The ways in which the file uses an app, or `nil` if no service names the app. App IDs are compared byte for
    /// byte.
    public func use(of app: AppID) -> AppUse? {
        var use = AppUse()
        func isNamed(in ids: JSONValue?) -> Bool {
            ids?.array?.contains { $0.string?.utf8.elementsEqual(app.description.utf8) ?? false } ?? false
        }
        for service in root.members {
            guard service.name == "applinks" else {
                if isNamed(in: service.value["apps"]) { use.services.append(service.name) }
                continue
            }
            let excludesByDefault = service.value["defaults"]?["exclude"]?.bool ?? false
            let elements = (service.value["details"]?.array ?? []).filter { element in
                isNamed(in: element["appIDs"]) || isNamed(in: element["appID"].map { [$0] })
            }
            for element in elements { use.add(element, excludesByDefault: excludesByDefault) }
            if !elements.isEmpty { use.services.append(service.name) }
        }
        return use.services.isEmpty ? nil : use
    }
}

extension AppUse {
    /// Counts the rules of an element of `details`.
    fileprivate mutating func add(_ element: JSONValue, excludesByDefault: Bool) {
        let excluding: [Bool]
        if let components = element["components"]?.array {
            let isDefault = element["defaults"]?["exclude"]?.bool ?? excludesByDefault
            excluding = components.map { $0["exclude"]?.bool ?? isDefault }
        } else if let paths = element["paths"]?.array {
            excluding = paths.map { $0.string?.hasPrefix("NOT ") ?? false }
        } else {
            everything = true
            return
        }
        excludes += excluding.count { $0 }
        rules += excluding.count { !$0 }
    }
}

import StrictJSON

extension Association {
    /// The keys of the services that Apple's systems read.
    public static let services = [
        "applinks", "webcredentials", "appclips", "activitycontinuation", "authsrv", "messagefilter",
        "classificationreport",
    ]

    /// The app IDs of `applinks` in file order, without duplicates. Evaluations use the same apps.
    public var appIDs: [String] { CompiledAssociation(self).appIDs }

    /// The app IDs in a service other than `applinks`, in order, without duplicates, with prefixes in capital letters.
    ///
    /// "Other services take `apps` only; non-string elements skipped" [REP]; "service keys are case-sensitive" [INF].
    ///
    /// - Parameters:
    ///   - service: The service's key, such as `webcredentials`.
    ///   - system: The system that reads the file. Older systems do not know services that were introduced later.
    public func apps(ofService service: String, os system: SystemVersion = .latest) -> [String] {
        guard system >= Self.firstSystem(ofService: service) else { return [] }
        var seen: Set<[UInt8]> = []
        return (root[service]?["apps"]?.array ?? []).compactMap { value in
            value.string.map { EntryReading.App(text: $0, pointer: JSONPointer()).normalized }
        }.filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// The first system that supports a service: iOS 13 for `authsrv` [INF], and iOS 14 for `appclips` [DOC]. All other
    /// services count as old as iOS 9, because Waymark does not tell the systems before iOS 13 apart.
    private static func firstSystem(ofService service: String) -> SystemVersion {
        switch service {
        case "appclips": .ios14
        case "authsrv": .ios13
        default: .ios9
        }
    }
}

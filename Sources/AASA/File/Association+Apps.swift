import StrictJSON

extension Association {
    /// The services that Apple's systems read in a file, by their keys.
    public static let services = [
        "applinks", "webcredentials", "appclips", "activitycontinuation", "authsrv", "messagefilter",
        "classificationreport",
    ]

    /// The app IDs that universal links are given to, in file order, each once: what an evaluation speaks of.
    public var appIDs: [String] { CompiledAssociation(self).appIDs }

    /// The app IDs that a service other than `applinks` names, in order, each once, prefixes in capital letters.
    ///
    /// "Other services take `apps` only; non-string elements skipped" [REP]; "service keys are case-sensitive" [INF].
    ///
    /// - Parameters:
    ///   - service: The service's key, such as `webcredentials`.
    ///   - system: The system that reads the file: a service is unknown before the system that brought it.
    public func apps(ofService service: String, os system: SystemVersion = .latest) -> [String] {
        guard system >= Self.firstSystem(ofService: service) else { return [] }
        var seen: Set<[UInt8]> = []
        return (root[service]?["apps"]?.array ?? []).compactMap { value in
            value.string.map { EntryReading.App(text: $0, pointer: JSONPointer()).normalized }
        }.filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// "`authsrv` 13 [INF]; `appclips` 14" [DOC]; the others are older than all systems told apart here, or so little
    /// older than iOS 13 that it makes no difference.
    private static func firstSystem(ofService service: String) -> SystemVersion {
        switch service {
        case "appclips": .ios14
        case "authsrv": .ios13
        default: .ios9
        }
    }
}

public import FoundationEssentials

/// The latest time to publish a change so that devices have it by a given time, according to Apple's documentation.
public struct EffectiveBy: Hashable, Sendable {
    /// An assumption of the calculation.
    public struct Assumption: Hashable, Sendable {
        /// A stable name for programs.
        public let code: String
        /// The number of seconds that the assumption adds, or 0.
        public let seconds: Int
        /// The assumption as text.
        public let detail: String
        /// The source of the assumption.
        public let source: String
    }

    /// The assumptions, in the order of the steps from publication to device.
    public static let assumptions = [
        Assumption(
            code: "caches", seconds: 300,
            detail: "A cache in front of the edge may keep a file for five minutes (Cache-Control).",
            source: "Waymark's serving contract"),
        Assumption(
            code: "apple_cdn", seconds: 86_400,
            detail: "Apple's CDN requests the file within 24 hours.", source: supportingAssociatedDomains),
        Assumption(
            code: "devices", seconds: 7 * 86_400,
            detail: """
                Devices check again about once a week after the app is installed. Apple says "approximately", so this is \
                not guaranteed.
                """,
            source: supportingAssociatedDomains),
        Assumption(
            code: "reachable_devices", seconds: 0,
            detail: "A device that is off or offline at that time gets the change later.",
            source: "Follows from the assumptions above"),
        Assumption(
            code: "old_systems", seconds: 0,
            detail: """
                iOS 9 to 13 are not included: they request the file from the host when an app is installed or updated, and \
                may never check again.
                """, source: "Reports by developers"),
        Assumption(
            code: "alternate_modes", seconds: 0,
            detail: """
                If the entitlement has ?mode=developer or ?mode=managed, devices request the file from the host and get \
                the change sooner.
                """, source: supportingAssociatedDomains),
    ]

    private static let supportingAssociatedDomains =
        "https://developer.apple.com/documentation/xcode/supporting-associated-domains"

    /// The number of seconds from publication until devices have the change.
    public static let seconds = assumptions.reduce(0) { $0 + $1.seconds }

    /// The time by which devices must have the change, to the second.
    public let time: Date

    /// Creates a calculation for a time.
    public init(_ time: Date) {
        self.time = time
    }

    /// The latest time to publish.
    public var publishAt: Date { time.addingTimeInterval(-Double(Self.seconds)) }

    /// The time by which devices have a change that is published at `time`.
    public static func reached(publishedAt time: Date) -> Date { time.addingTimeInterval(Double(seconds)) }
}

public import FoundationEssentials

/// When a change has to be published at the latest to have reached devices by a time, as far as Apple says how they learn
/// of it.
public struct EffectiveBy: Hashable, Sendable {
    /// What the calculation rests on.
    public struct Assumption: Hashable, Sendable {
        /// Stable, for programs.
        public let code: String
        /// What it adds, in seconds; 0 for what it leaves out.
        public let seconds: Int
        /// In words.
        public let detail: String
        /// Where it comes from.
        public let source: String
    }

    /// What every calculation rests on, in the order in which a change travels.
    public static let assumptions = [
        Assumption(
            code: "caches", seconds: 300,
            detail: "A cache before the edge keeps a file for five minutes, as Cache-Control lets it.",
            source: "Waymark's serving contract"),
        Assumption(
            code: "apple_cdn", seconds: 86_400,
            detail: "Apple's CDN asks for the file within 24 hours.", source: supportingAssociatedDomains),
        Assumption(
            code: "devices", seconds: 7 * 86_400,
            detail: """
                Devices look again about once a week after the app was installed. Apple says "approximately", which is no \
                bound.
                """,
            source: supportingAssociatedDomains),
        Assumption(
            code: "reachable_devices", seconds: 0,
            detail: "A device that is off or away from the network at that time learns of it later.",
            source: "Follows from the above"),
        Assumption(
            code: "old_systems", seconds: 0,
            detail: """
                iOS 9 to 13 are left out: they ask the host itself when an app is installed or updated, and may never look \
                again.
                """, source: "Reports of developers"),
        Assumption(
            code: "alternate_modes", seconds: 0,
            detail: """
                Where the entitlement says ?mode=developer or managed, devices ask the host itself and learn of it sooner.
                """, source: supportingAssociatedDomains),
    ]

    private static let supportingAssociatedDomains =
        "https://developer.apple.com/documentation/xcode/supporting-associated-domains"

    /// The seconds from a publication to the time by which it has reached devices.
    public static let seconds = assumptions.reduce(0) { $0 + $1.seconds }

    /// When the change has to have reached devices, to the second.
    public let time: Date

    /// A calculation for a time.
    public init(_ time: Date) {
        self.time = time
    }

    /// When to publish at the latest.
    public var publishAt: Date { time.addingTimeInterval(-Double(Self.seconds)) }

    /// By when a change has reached devices that is published at a time.
    public static func reached(publishedAt time: Date) -> Date { time.addingTimeInterval(Double(seconds)) }
}

public import FoundationEssentials
import Storage

/// When a publication is to go live, and when it is to be taken back.
public struct PublicationTimes: Hashable, Sendable {
    /// When to go live, to the second; `nil` for at once.
    public var at: Date?
    /// When to go back to what is live before, to the second; `nil` for never.
    public var revertAt: Date?
    /// The requester's IANA time zone, for showing the times.
    public var zone: String?

    /// The furthest ahead that a time may lie, in days.
    public static let mostDaysAhead = 366

    /// Times; none for at once and for good.
    public init(at: Date? = nil, revertAt: Date? = nil, zone: String? = nil) {
        self.at = at
        self.revertAt = revertAt
        self.zone = zone
    }

    /// Holds the times to the database's clock. Throws ``InvalidTimes`` with all that is wrong.
    func check(in tenant: Tenant) throws {
        guard self != PublicationTimes() else { return }
        let now = try tenant.clock()
        let latest = now.addingTimeInterval(Double(Self.mostDaysAhead) * 86_400)
        var faults: [InvalidTimes.Fault] = []
        if let at, at <= now { faults.append(.inThePast(field: "at")) }
        if let at, at > latest { faults.append(.tooFarAhead(field: "at")) }
        if let revertAt, revertAt <= at ?? now { faults.append(.revertBeforeChange) }
        if let revertAt, revertAt > latest { faults.append(.tooFarAhead(field: "revertAt")) }
        if let zone, try !tenant.knowsZone(zone) { faults.append(.unknownZone) }
        guard faults.isEmpty else { throw InvalidTimes(faults) }
    }
}

/// Times at which nothing can be published.
public struct InvalidTimes: Error, Hashable, Sendable {
    /// One thing that is wrong.
    public enum Fault: Hashable, Sendable {
        /// The time is over, by the database's clock.
        case inThePast(field: String)
        /// The time is further away than ``PublicationTimes/mostDaysAhead``.
        case tooFarAhead(field: String)
        /// The change would be taken back before it is made.
        case revertBeforeChange
        /// Nothing is live before the change.
        case nothingToGoBackTo
        /// The database knows no such time zone.
        case unknownZone

        /// The field of the request that it is about.
        public var field: String {
            switch self {
            case .inThePast(let field), .tooFarAhead(let field): field
            case .revertBeforeChange, .nothingToGoBackTo: "revertAt"
            case .unknownZone: "zone"
            }
        }

        /// Stable, for programs.
        public var code: String {
            switch self {
            case .inThePast: "in_the_past"
            case .tooFarAhead: "too_far_ahead"
            case .revertBeforeChange: "revert_before_change"
            case .nothingToGoBackTo: "nothing_to_go_back_to"
            case .unknownZone: "unknown_zone"
            }
        }

        /// What is wrong, and what to do.
        public var detail: String {
            switch self {
            case .inThePast: "is over already; leave it out to publish at once"
            case .tooFarAhead: "is more than \(PublicationTimes.mostDaysAhead) days ahead; name an earlier time"
            case .revertBeforeChange: "has to lie in the future, and after the change that it takes back"
            case .nothingToGoBackTo: "cannot be had: nothing is live before this publication; leave it out"
            case .unknownZone: "is not an IANA time zone such as Europe/Berlin"
            }
        }
    }

    /// All that is wrong; at least one.
    public let faults: [Fault]

    init(_ faults: [Fault]) {
        self.faults = faults
    }
}

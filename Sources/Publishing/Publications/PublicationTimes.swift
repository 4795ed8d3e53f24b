public import FoundationEssentials
import Storage

/// When a publication should go live, and when it should be rolled back.
public struct PublicationTimes: Hashable, Sendable {
    /// When to go live, to the second; `nil` for now.
    public var at: Date?
    /// When the change must be on devices, to the second. `at` then follows from it. `nil` if `at` is given.
    public var effectiveBy: Date?
    /// When to roll back, to the second; `nil` for never.
    public var revertAt: Date?
    /// The requester's IANA time zone, for display. Nothing is computed with it, so the database need not know it.
    public var zone: String?

    /// How many days ahead a time may be.
    public static let mostDaysAhead = 366

    /// Times; without arguments: now, and without a rollback.
    public init(at: Date? = nil, effectiveBy: Date? = nil, revertAt: Date? = nil, zone: String? = nil) {
        self.at = at
        self.effectiveBy = effectiveBy
        self.revertAt = revertAt
        self.zone = zone
    }

    /// The times with `at` computed from `effectiveBy`, checked by the database's clock. Throws ``InvalidTimes`` with
    /// all faults.
    func checked(in tenant: TenantTransaction) throws -> PublicationTimes {
        guard self != PublicationTimes() else { return self }
        let now = try tenant.clock()
        let latest = now.addingTimeInterval(Double(Self.mostDaysAhead) * 86_400)
        var faults: [InvalidTimes.Fault] = []
        if at != nil, effectiveBy != nil { faults.append(.twoTimes) }
        if let at, at <= now { faults.append(.inThePast(field: "at")) }
        if let at, at > latest { faults.append(.tooFarAhead(field: "at")) }
        let publishAt = effectiveBy.map { EffectiveBy($0).publishAt }
        if let publishAt, publishAt <= now { faults.append(.tooLate(reached: EffectiveBy.reached(publishedAt: now))) }
        if let publishAt, publishAt > latest { faults.append(.tooFarAhead(field: "effectiveBy")) }
        if let revertAt, revertAt <= at ?? publishAt ?? now { faults.append(.revertBeforeChange) }
        if let revertAt, revertAt > latest { faults.append(.tooFarAhead(field: "revertAt")) }
        if let zone, !Self.isZoneName(zone) { faults.append(.unknownZone) }
        guard faults.isEmpty else { throw InvalidTimes(faults) }
        var checked = self
        checked.at = at ?? publishAt
        return checked
    }

    /// Whether a text has the form of an IANA name: `UTC`, `Etc/GMT+3`, `America/Argentina/Buenos_Aires`. Each part
    /// begins with a capital letter.
    private static func isZoneName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return (1...3).contains(parts.count)
            && parts.allSatisfy { part in
                guard let first = part.first, (65...90).contains(first) else { return false }
                return part.allSatisfy { byte in
                    switch byte {
                    case 65...90, 97...122, 48...57: true
                    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"): parts.count > 1
                    default: false
                    }
                }
            }
    }
}

/// Times that are not valid.
public struct InvalidTimes: Error, Hashable, Sendable {
    /// A fault of the times.
    public enum Fault: Hashable, Sendable {
        /// The time is in the past, by the database's clock.
        case inThePast(field: String)
        /// It is too late to be on devices by then. A change that is published now is on devices by `reached`.
        case tooLate(reached: Date)
        /// Both `at` and `effectiveBy` are given.
        case twoTimes
        /// The time is more than ``PublicationTimes/mostDaysAhead`` days ahead.
        case tooFarAhead(field: String)
        /// The rollback is due before the change.
        case revertBeforeChange
        /// Nothing will be live before the change.
        case nothingToGoBackTo
        /// The text is not the name of a time zone.
        case unknownZone

        /// The field of the request.
        public var field: String {
            switch self {
            case .inThePast(let field), .tooFarAhead(let field): field
            case .tooLate, .twoTimes: "effectiveBy"
            case .revertBeforeChange, .nothingToGoBackTo: "revertAt"
            case .unknownZone: "zone"
            }
        }

        /// A stable name for programs.
        public var code: String {
            switch self {
            case .inThePast: "in_the_past"
            case .tooLate: "too_late"
            case .twoTimes: "two_times"
            case .tooFarAhead: "too_far_ahead"
            case .revertBeforeChange: "revert_before_change"
            case .nothingToGoBackTo: "nothing_to_go_back_to"
            case .unknownZone: "unknown_zone"
            }
        }

        /// What is wrong, and what to do.
        public var detail: String {
            switch self {
            case .inThePast: "has passed; name a later time, or leave it out to publish now"
            case .tooLate(let reached):
                """
                can no longer be met: a change that is published now reaches devices by \
                \(reached.formatted(Date.ISO8601FormatStyle())); name a time after that, or leave it out to publish now
                """
            case .twoTimes: "cannot be used together with `at`; leave one of them out"
            case .tooFarAhead: "is more than \(PublicationTimes.mostDaysAhead) days ahead; name an earlier time"
            case .revertBeforeChange: "must be in the future, and after the change that it rolls back"
            case .nothingToGoBackTo: "is not possible, because nothing is live to roll back to; leave it out"
            case .unknownZone: "is not an IANA time zone, such as Europe/Berlin"
            }
        }
    }

    /// All faults; at least one.
    public let faults: [Fault]

    init(_ faults: [Fault]) {
        self.faults = faults
    }
}

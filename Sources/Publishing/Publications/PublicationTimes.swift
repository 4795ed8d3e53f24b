public import FoundationEssentials
import Storage

/// The times of a publication and its rollback.
public struct PublicationTimes: Hashable, Sendable {
    /// The time to go live, to the second, or `nil` for now.
    public var at: Date?
    /// The time by which devices must have the change, to the second. `at` is computed from it. `nil` if `at` is given.
    public var effectiveBy: Date?
    /// The time of the rollback, to the second, or `nil` for no rollback.
    public var revertAt: Date?
    /// The requester's IANA time zone, for display only. No calculation uses it, so the database does not need to know
    /// it.
    public var zone: String?

    /// The maximum number of days between now and a time.
    public static let maximumDaysAhead = 366

    /// Creates times. By default, the publication is due now and is not rolled back.
    public init(at: Date? = nil, effectiveBy: Date? = nil, revertAt: Date? = nil, zone: String? = nil) {
        self.at = at
        self.effectiveBy = effectiveBy
        self.revertAt = revertAt
        self.zone = zone
    }

    /// Computes `at` from `effectiveBy`, and checks the times with the database's clock. Throws ``InvalidTimes`` with
    /// all faults.
    func checked(in tenant: TenantTransaction) throws -> PublicationTimes {
        guard self != PublicationTimes() else { return self }
        let now = try tenant.clock()
        let latest = now.addingTimeInterval(Double(Self.maximumDaysAhead) * 86_400)
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

    /// Returns true if a text has the form of an IANA name, such as `UTC`, `Etc/GMT+3` or
    /// `America/Argentina/Buenos_Aires`. Each part must begin with a capital letter.
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

/// The error for invalid times.
public struct InvalidTimes: Error, Hashable, Sendable {
    /// A fault of the times.
    public enum Fault: Hashable, Sendable {
        /// The time is in the past, by the database's clock.
        case inThePast(field: String)
        /// The time cannot be met. If the change is published now, devices have it by `reached`.
        case tooLate(reached: Date)
        /// Both `at` and `effectiveBy` are given.
        case twoTimes
        /// The time is more than ``PublicationTimes/maximumDaysAhead`` days in the future.
        case tooFarAhead(field: String)
        /// The rollback is due before the change.
        case revertBeforeChange
        /// No version is live when the change takes effect, so a rollback is not possible.
        case nothingToGoBackTo
        /// The text is not the name of a time zone.
        case unknownZone

        /// The field of the request that has the fault.
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

        /// The error message: the problem and the remedy.
        public var detail: String {
            switch self {
            case .inThePast: "has passed; name a later time, or leave it out to publish now"
            case .tooLate(let reached):
                """
                can no longer be met: a change that is published now reaches devices by \
                \(reached.formatted(Date.ISO8601FormatStyle())); name a time after that, or leave it out to publish now
                """
            case .twoTimes: "cannot be used together with `at`; leave one of them out"
            case .tooFarAhead: "is more than \(PublicationTimes.maximumDaysAhead) days ahead; name an earlier time"
            case .revertBeforeChange: "must be in the future, and after the change that it rolls back"
            case .nothingToGoBackTo: "is not possible, because nothing is live to roll back to; leave it out"
            case .unknownZone: "is not an IANA time zone, such as Europe/Berlin"
            }
        }
    }

    /// The faults, at least one.
    public let faults: [Fault]

    init(_ faults: [Fault]) {
        self.faults = faults
    }
}

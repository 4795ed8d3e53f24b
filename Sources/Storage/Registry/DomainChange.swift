public import AASA
public import FoundationEssentials

/// The state of a host when a change of it, or of the domain that it is an alias of, is decided.
public struct DomainStanding: Hashable, Sendable {
    /// The host.
    public let host: Host
    /// Whether the organization holds its claim.
    public var isVerified = false
    /// Whether it is live.
    public var isLive = false
    /// Whether it was live and has been withdrawn, on its own or with the domain that it was an alias of.
    public var isWithdrawn = false
    /// When its pending withdrawal is due.
    public var withdrawalDueAt: Date?
    /// Whether a freeze covers it.
    public var isFrozen = false
    /// Its labels that a schedule or an active freeze uses.
    public var decidingLabels: [String] = []
    /// Its pending publications and releases, and the schedules for this domain alone, in words.
    public var pending: [String] = []

    /// A host with nothing to report.
    public init(_ host: Host) {
        self.host = host
    }

    /// The decisions of publishers about the file on this host, in words.
    fileprivate var reasons: [String] {
        var reasons: [String] = []
        if isLive { reasons.append("\(host) is live") }
        if isWithdrawn { reasons.append("\(host) has been withdrawn") }
        if withdrawalDueAt != nil { reasons.append("\(host) is being withdrawn") }
        if isFrozen { reasons.append("\(host) is frozen") }
        reasons += decidingLabels.map { "a schedule or a freeze uses the label \($0) of \(host)" }
        reasons += pending.map { "\($0) will publish on \(host)" }
        return reasons
    }
}

/// A change of a domain, and the role that may decide it. An editor prepares domains, and does not decide what is
/// served on them now or later. Pure.
public struct DomainChange: Hashable, Sendable {
    /// Who may make the change.
    public enum Decision: Hashable, Sendable {
        /// Nobody, in the current state.
        case refused(StorageError)
        /// This role and higher ones. `because` lists what the change affects; it is empty for an editor.
        case allowed(to: Role, because: [String])
    }

    /// The domain as it is.
    public var domain: DomainStanding
    /// Whether it is deleted.
    public var isDeletion: Bool
    /// The domain that it stops being an alias of.
    public var left: DomainStanding?
    /// The domain that it becomes an alias of.
    public var joined: DomainStanding?
    /// The added or removed labels that a schedule or an active freeze uses.
    public var labels: [String]

    /// A change.
    public init(
        of domain: DomainStanding, isDeletion: Bool = false, leaving left: DomainStanding? = nil,
        joining joined: DomainStanding? = nil, labels: [String] = []
    ) {
        self.domain = domain
        self.isDeletion = isDeletion
        self.left = left
        self.joined = joined
        self.labels = labels
    }

    /// Who may make it. An administrator withdraws a host, so only an administrator may put it back by making it an
    /// alias. A publisher may do so explicitly, by publishing or verifying.
    public var decision: Decision {
        let changesFile = left != nil || joined != nil
        if changesFile, !isDeletion {
            if domain.isLive { return .refused(.isServed) }
            if let due = domain.withdrawalDueAt { return .refused(.beingWithdrawn(at: due)) }
            if !domain.pending.isEmpty { return .refused(.wouldStop(domain.pending)) }
        }
        if joined != nil, domain.isWithdrawn {
            return .allowed(to: .admin, because: ["\(domain.host) has been withdrawn"])
        }
        var reasons = labels.map { "a schedule or a freeze uses the label \($0)" }
        if isDeletion, domain.isVerified {
            reasons.append("\(domain.host) is verified, and deleting it ends the verification")
        }
        if changesFile { reasons += [domain, left, joined].compactMap(\.self).flatMap(\.reasons) }
        return .allowed(to: reasons.isEmpty ? .editor : .publisher, because: reasons)
    }
}

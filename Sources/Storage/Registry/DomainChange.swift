public import AASA
public import FoundationEssentials

/// A host at the moment at which a change of it, or of what it is an alias of, is decided.
public struct DomainStanding: Hashable, Sendable {
    /// The host.
    public let host: Host
    /// The organization holds the claim for it.
    public var isVerified = false
    /// Something is live on it.
    public var isLive = false
    /// It was live and has been withdrawn, by itself or with the domain whose alias it was.
    public var isWithdrawn = false
    /// When a pending withdrawal of it is due.
    public var withdrawalDueAt: Date?
    /// A freeze covers it.
    public var isFrozen = false
    /// Those of its labels that a schedule or an active freeze uses.
    public var decidingLabels: [String] = []
    /// In words: its pending publications and releases, and the schedules for it alone.
    public var pending: [String] = []

    /// A host about which there is nothing to say yet.
    public init(_ host: Host) {
        self.host = host
    }

    /// What a publisher has decided about the file on this host, in words.
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

/// A change of a domain, and whose decision it is: an editor prepares domains and does not decide what is served on them,
/// now or later. Pure.
public struct DomainChange: Hashable, Sendable {
    /// Who may make the change.
    public enum Decision: Hashable, Sendable {
        /// Nobody, as things are.
        case refused(StorageError)
        /// This role and those above it, because of what it touches; for an editor there is nothing.
        case allowed(to: Role, because: [String])
    }

    /// The domain as it is.
    public var domain: DomainStanding
    /// It is deleted: nothing needs it any more.
    public var isDeletion: Bool
    /// The domain of which it stops being an alias.
    public var left: DomainStanding?
    /// The domain of which it becomes an alias.
    public var joined: DomainStanding?
    /// The labels given or taken that a schedule or an active freeze uses.
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

    /// Who may make it. An administrator withdraws a host, so an administrator puts it back by making it an alias; a
    /// publisher does so by an act that says it, publishing or verifying.
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

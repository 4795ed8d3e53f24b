public import AASA
public import FoundationEssentials

/// The state of a host that a ``DomainChange`` needs to decide which roles can change the host, or the domain that it
/// is an alias of.
public struct DomainStanding: Hashable, Sendable {
    /// The host.
    public let host: Host
    /// Whether the organization holds its claim.
    public var isVerified = false
    /// Whether it is live.
    public var isLive = false
    /// Whether it was live and has been withdrawn, itself or with the domain that it was an alias of.
    public var isWithdrawn = false
    /// The end of the grace period of its pending withdrawal.
    public var withdrawalDueAt: Date?
    /// Whether a freeze applies to it.
    public var isFrozen = false
    /// The host's labels that a schedule or an active freeze uses.
    public var decidingLabels: [String] = []
    /// The pending publications and releases of the host, and the schedules for this domain alone, in words.
    public var pending: [String] = []

    /// Creates the state of a host without claim, live version or pending items.
    public init(_ host: Host) {
        self.host = host
    }

    /// The decisions of publishers that affect the file on this host, in words.
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

/// A change of a domain, and the role that it requires. An editor prepares domains, but cannot change the files that
/// are served on them, now or later. This type only decides, and does not access the database.
public struct DomainChange: Hashable, Sendable {
    /// The roles that can make the change.
    public enum Decision: Hashable, Sendable {
        /// No role can make the change in the current state.
        case refused(StorageError)
        /// This role and higher roles can make the change. `because` lists the affected items. It is empty for an
        /// editor.
        case allowed(to: Role, because: [String])
    }

    /// The domain before the change.
    public var domain: DomainStanding
    /// Whether the domain is deleted.
    public var isDeletion: Bool
    /// The previous target, if the domain is no longer an alias of it.
    public var left: DomainStanding?
    /// The new target, if the domain becomes an alias of it.
    public var joined: DomainStanding?
    /// The added or removed labels that a schedule or an active freeze uses.
    public var labels: [String]
    /// The added or removed labels that an approval policy uses; none for a new domain. The labels of an alias count for
    /// its target. So for an alias that leaves its target, these are all its labels with a policy, and for one that
    /// joins a target, those that the target and its other aliases lack: nobody approved the target's file for them.
    public var policyLabels: [String]
    /// The added or removed labels that a role is limited to. Empty for a deletion.
    public var roleLabels: [String]

    /// Creates a change.
    public init(
        of domain: DomainStanding, isDeletion: Bool = false, leaving left: DomainStanding? = nil,
        joining joined: DomainStanding? = nil, labels: [String] = [],
        policyLabels: [String] = [], roleLabels: [String] = []
    ) {
        self.domain = domain
        self.isDeletion = isDeletion
        self.left = left
        self.joined = joined
        self.labels = labels
        self.policyLabels = policyLabels
        self.roleLabels = roleLabels
    }

    /// The roles that can make the change.
    ///
    /// Only an administrator can withdraw a host. So only an administrator can make a withdrawn host an alias, because
    /// this puts it back into service. A publisher can put it back by publishing or verifying.
    public var decision: Decision {
        let changesFile = left != nil || joined != nil
        if changesFile, !isDeletion {
            if domain.isLive { return .refused(.isServed) }
            if let due = domain.withdrawalDueAt { return .refused(.beingWithdrawn(at: due)) }
            if !domain.pending.isEmpty { return .refused(.wouldStop(domain.pending)) }
        }
        // Only an owner can change an approval policy. So only an owner can add a domain to one, or take it out.
        guard policyLabels.isEmpty else {
            return .allowed(
                to: .owner, because: policyLabels.map { "an approval policy uses the label \($0)" })
        }
        // An administrator decides whose role counts for a domain.
        var decided = roleLabels.map { "the role of a member or a token is limited to the label \($0)" }
        if joined != nil, domain.isWithdrawn { decided.append("\(domain.host) has been withdrawn") }
        guard decided.isEmpty else { return .allowed(to: .admin, because: decided) }
        var reasons = labels.map { "a schedule or a freeze uses the label \($0)" }
        if isDeletion, domain.isVerified {
            reasons.append("\(domain.host) is verified, and deleting it ends the verification")
        }
        if changesFile { reasons += [domain, left, joined].compactMap(\.self).flatMap(\.reasons) }
        return .allowed(to: reasons.isEmpty ? .editor : .publisher, because: reasons)
    }
}

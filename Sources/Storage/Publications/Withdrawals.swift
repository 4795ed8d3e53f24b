public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// A host's withdrawals, newest first. The page's key is the ID of the last item on the previous page. Throws
    /// `notFound`.
    public func withdrawals(_ host: Host, _ page: Page) throws -> Listing<Withdrawal> {
        try requireDomain(host)
        return try list(page, key: \.id.description, reading: { try $0.map(Withdrawal.init(row:)) }) { page in
            """
            select \(fragment: Withdrawal.columns) from withdrawals
            where organization_id = \(organization.uuid) and host = \(host.description)
              \(fragment: try page.newestFirst(of: "withdrawals", Withdrawal.self, in: organization))
            """
        }
    }

    /// Returns one withdrawal of a host. Throws `notFound` if it does not exist.
    public func withdrawal(_ id: ID<Withdrawal>, of host: Host) throws -> Withdrawal {
        let row = try database.first(
            """
            select \(fragment: Withdrawal.columns) from withdrawals
            where organization_id = \(organization.uuid) and host = \(host.description) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "withdrawal", key: id.description) }
        return try Withdrawal(row: row)
    }

    /// The withdrawal with this ID, or `nil` if it does not exist. Locks its row and its domain's row until the
    /// transaction ends.
    public func lockedWithdrawal(_ id: ID<Withdrawal>) throws -> Withdrawal? {
        _ = try database.query(
            """
            select domains.host from domains
            join withdrawals
              on withdrawals.organization_id = domains.organization_id and withdrawals.host = domains.host
            where withdrawals.organization_id = \(organization.uuid) and withdrawals.id = \(id.uuid)
            for update of domains
            """)
        return try database.first(
            """
            select \(fragment: Withdrawal.columns) from withdrawals
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for update
            """
        ).map(Withdrawal.init(row:))
    }

    /// Records a withdrawal, and the job that carries it out after the grace period. Nothing else changes until then.
    ///
    /// - Parameter graceSeconds: The grace period. During this time the host stays in service, and the withdrawal can
    ///   be undone.
    /// - Throws: `notFound`, `beingWithdrawn` if a withdrawal is already pending, or `nothingLive`.
    public func createWithdrawal(of host: Host, reason: String, graceSeconds: Int) throws -> Withdrawal {
        let domain = try lockedDomain(host)
        if let pending = domain.withdrawal, pending.host == host {
            throw StorageError.beingWithdrawn(at: pending.dueAt)
        }
        guard domain.live != nil else { throw StorageError.nothingLive }
        let id = ID<Withdrawal>()
        try database.execute(
            """
            insert into withdrawals (
              organization_id, id, host, state, reason, requester_kind, requester_name, due_at)
            values (
              \(organization.uuid), \(id.uuid), \(host.description), 'pending', \(reason), \(author.kind.rawValue),
              \(author.name), clock_timestamp() + make_interval(secs => \(graceSeconds)::integer))
            """)
        let made = try withdrawal(id, of: host)
        try enqueue(.withdraw, key: id.uuid, at: made.dueAt)
        try audit(
            .withdrawalCreated, host,
            ["withdrawal": .string(id.description), "dueAt": .detail(made.dueAt), "reason": .string(reason)])
        return made
    }

    /// Undoes a pending withdrawal. The host stays in service. Throws `notFound`, `withdrawalEnded`.
    public func cancelWithdrawal(_ id: ID<Withdrawal>, of host: Host) throws -> Withdrawal {
        guard let withdrawal = try lockedWithdrawal(id), withdrawal.host == host else {
            throw StorageError.notFound(kind: "withdrawal", key: id.description)
        }
        guard withdrawal.state == .pending else {
            throw StorageError.withdrawalEnded(state: withdrawal.state.rawValue)
        }
        return try end(withdrawal, as: .cancelled, cause: "undone by \(author.name)")
    }

    /// Takes the host and its aliases out of service, and cancels its pending publications. The change takes effect
    /// when the transaction commits. The caller must have locked the withdrawal with ``lockedWithdrawal(_:)``.
    public func withdraw(_ withdrawal: Withdrawal) throws -> Withdrawal {
        // In reverse order, so that no publication has followers when it is cancelled.
        for publication in try pendingPublications(withdrawal.host).reversed() {
            _ = try end(
                publication, as: .cancelled,
                cause: "the host was withdrawn by \(withdrawal.requester.name): \(withdrawal.reason)")
        }
        let withdrawn = "\(withdrawal.host) was withdrawn by \(withdrawal.requester.name): \(withdrawal.reason)"
        for release in try pendingReleases(with: withdrawal.host) {
            _ = try end(release, as: .cancelled, cause: "cancelled: \(withdrawn)")
        }
        guard let activation = try deactivate(withdrawal.host) else {
            return try end(withdrawal, as: .failed, cause: "the organization no longer holds the claim for the host")
        }
        return try end(withdrawal, as: .withdrawn, activation: activation)
    }

    /// Records a failed attempt and its cause. The next attempt is due at `next`.
    public func postpone(_ withdrawal: Withdrawal, until next: Date, attempt: Int, cause: String) throws {
        try audit(
            .withdrawalPostponed, withdrawal.host,
            [
                "withdrawal": .string(withdrawal.id.description), "attempt": .int(attempt), "cause": .string(cause),
                "nextAt": .detail(next),
            ])
        try database.execute(
            """
            update withdrawals set cause = \(cause)
            where organization_id = \(organization.uuid) and id = \(withdrawal.id.uuid)
            """)
    }

    /// Ends a withdrawal and its job. Stores the activation if the new state is `withdrawn`, otherwise the cause. The
    /// caller must have locked the withdrawal with ``lockedWithdrawal(_:)``.
    public func end(
        _ withdrawal: Withdrawal, as state: Withdrawal.State, activation: Int64? = nil, cause: String? = nil
    ) throws -> Withdrawal {
        try dequeue(.withdraw, key: withdrawal.id.uuid)
        try database.execute(
            """
            update withdrawals
            set state = \(state.rawValue), activation = \(activation), cause = \(cause), ended_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(withdrawal.id.uuid)
            """)
        if let kind = EventKind(rawValue: "withdrawal.\(state.rawValue)") {
            try audit(
                kind, withdrawal.host,
                [
                    "withdrawal": .string(withdrawal.id.description), "activation": .detail(activation),
                    "cause": .detail(cause),
                ])
        }
        return try self.withdrawal(withdrawal.id, of: withdrawal.host)
    }
}

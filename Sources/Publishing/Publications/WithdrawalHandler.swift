public import FoundationEssentials
public import Logging
import Metrics
import Snapshot
public import Storage

/// Takes withdrawn hosts out of service, each in one transaction.
public struct WithdrawalHandler: JobHandler {
    private let store: Store
    private let logger: Logger

    /// Creates a handler for a store.
    public init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Takes the host out of service. Throws `JobLost` if another worker has the job or the withdrawal was undone.
    public func handle(_ job: Job) async throws {
        ProcessFault.reach("withdrawal.claimed")
        let ended = try await store.write(as: job.organization, by: .system) { tenant in
            guard let withdrawal = try tenant.lockedWithdrawal(ID(job.key)) else { throw JobLost() }
            try tenant.finish(job)
            let ended = try tenant.withdraw(withdrawal)
            ProcessFault.reach("withdrawal.ending")
            return ended
        }
        ProcessFault.reach("withdrawal.ended")
        tell(of: ended)
    }

    /// Records the cause of the failed attempt.
    public func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
        let withdrawal = try tenant.lockedWithdrawal(ID(job.key))
        try tenant.postpone(job, until: next, cause: cause)
        if let withdrawal, withdrawal.state == .pending {
            try tenant.postpone(withdrawal, until: next, attempt: job.attempts, cause: cause)
        }
    }

    /// Ends the withdrawal as `failed`. The host stays live.
    public func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
        let withdrawal = try tenant.lockedWithdrawal(ID(job.key))
        try tenant.park(job, cause: cause)
        if let withdrawal, withdrawal.state == .pending {
            tell(of: try tenant.end(withdrawal, as: .failed, cause: cause))
        }
    }

    private func tell(of withdrawal: Withdrawal) {
        Counter(label: "waymark_withdrawals_total", dimensions: [("state", withdrawal.state.rawValue)]).increment()
        logger.info(
            "A withdrawal has ended.",
            metadata: [
                "host": "\(withdrawal.host)", "state": "\(withdrawal.state)", "cause": "\(withdrawal.cause ?? "")",
            ])
    }
}

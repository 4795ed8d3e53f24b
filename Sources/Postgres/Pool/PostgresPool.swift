public import FoundationEssentials
public import Logging
import NIOConcurrencyHelpers
public import ServiceLifecycle
import Timing

/// Connections to one database with one role. All access is through closures:
///
/// ```swift
/// let name = try await pool.read(as: organization) { db in
///     try db.first("select name from teams where team_id = \(id)")?.decode("name", as: String.self)
/// }
/// ```
///
/// The closure runs on the connection's own thread, so its calls may block. It is `@Sendable`, but its `Database` is
/// not. So the closure cannot contain an `await`, and the connection cannot leave it. If a prepared statement is stale
/// in the middle of a transaction, the closure runs a second time. So it must have no effects outside the database.
///
/// The organization is set for each transaction: row level security reads the setting `waymark.organization`. Without
/// an organization, the setting is empty, and no tenant's rows are visible.
///
/// If the pool runs in a service group, it closes when the group shuts down. It also works without a group.
public final class PostgresPool: Sendable {
    let core: PoolCore
    private let sharedReads: SharedReads

    /// Creates a pool. It connects on first use.
    public init(_ configuration: PostgresConfiguration, logger: Logger) {
        core = PoolCore(configuration: configuration, logger: logger)
        sharedReads = SharedReads(core: core)
    }

    deinit {
        core.close()
    }

    /// Reads from the database. Each statement is its own read-only transaction, sent with its settings in one round
    /// trip.
    ///
    /// - Parameters:
    ///   - organization: The organization whose rows are visible, or `nil` for none.
    ///   - deadline: The time limit, including waiting, or `nil` for the default.
    ///   - body: The statements.
    /// - Returns: The result of `body`.
    /// - Throws: `PostgresError`, or the error of `body`. A statement that writes is refused with SQLSTATE 25006.
    @discardableResult
    public func read<Success: Sendable>(
        as organization: UUID? = nil, deadline: Duration? = nil,
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let access = Access(organization: organization, mayWrite: false)
        return try await run(access, deadline: deadline, body)
    }

    /// Reads with a single statement. Use it for fast reads by key. Statements of several callers are sent together, in
    /// one read-only transaction per organization. If this fails or takes half a second, the statement runs again on
    /// its own.
    ///
    /// - Parameters: As for the other `read`.
    /// - Returns: The rows.
    /// - Throws: `PostgresError`.
    public func read(
        as organization: UUID? = nil, deadline: Duration? = nil, _ statement: SQL
    ) async throws -> [Row] {
        let limit = MonotonicInstant.now + (deadline ?? core.configuration.deadline)
        // Behind a pooler, or with a deadline beyond the session's limit, an access needs its own settings. So it
        // cannot share a batch.
        let mayShare = !core.configuration.isPooled && limit.since(.now) <= core.configuration.statementTimeout
        if mayShare, statement.failure == nil {
            let read = SharedRead(organization: organization, statement: statement, deadline: limit)
            switch await read.answer(from: sharedReads) {
            case .rows(let rows): return rows
            case .refused(let error): throw error
            case .alone: break
            }
        }
        return try await read(as: organization, deadline: limit.since(.now)) { db in try db.query(statement) }
    }

    /// Reads and writes in one transaction, which is committed when `body` returns and rolled back if `body` throws.
    ///
    /// - Parameters:
    ///   - settings: Further settings of the transaction. The others are as for `read`.
    /// - Returns: The result of `body`, after the commit.
    /// - Throws: `PostgresError`, or the error of `body`. The database is then unchanged. Only after
    ///   `.commitOutcomeUnknown` may it have changed.
    @discardableResult
    public func write<Success: Sendable>(
        as organization: UUID? = nil, deadline: Duration? = nil, settings: [TransactionSetting] = [],
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let access = Access(organization: organization, mayWrite: true, settings: settings)
        return try await run(access, deadline: deadline, body)
    }

    /// Runs statements that are not allowed in a transaction, such as `create database`, one by one.
    @discardableResult
    package func outsideTransaction<Success: Sendable>(
        deadline: Duration, _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let access = Access(organization: nil, mayWrite: true, isBare: true)
        return try await run(access, deadline: deadline, body)
    }

    private func run<Success: Sendable>(
        _ access: Access, deadline: Duration?, _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let deadline = MonotonicInstant.now + (deadline ?? core.configuration.deadline)
        let cell = NIOLockedValueBox<PendingAccess?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Success, any Error>) in
                let pending = PendingAccess(deadline: deadline) { connection, pending in
                    let result = Result {
                        try connection.perform(
                            access, until: pending.deadline, cancellation: pending.cancellation, body)
                    }
                    return { continuation.resume(with: result) }
                } refuse: { error in
                    continuation.resume(throwing: error)
                }
                cell.withLockedValue { $0 = pending }
                // The task may have been cancelled before `onCancel` had an access to cancel.
                if Task.isCancelled { pending.cancel() }
                core.submit(pending)
            }
        } onCancel: {
            if let pending = cell.withLockedValue({ $0 }) { core.cancel(pending) }
        }
    }

    /// Closes idle connections, refuses new accesses and lets running ones finish.
    ///
    /// Returns when all connections are closed, or after a time limit: the default deadline of an access plus two
    /// seconds.
    public func close() async {
        core.close()
        let limit = MonotonicInstant.now + core.configuration.deadline + .seconds(2)
        while !core.isEmpty, MonotonicInstant.now < limit {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }
}

extension PostgresPool: Service {
    /// Waits until the service group shuts down, and then closes the pool.
    public func run() async throws {
        try? await gracefulShutdown()
        await close()
    }
}

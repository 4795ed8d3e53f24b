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
/// The closure runs on the connection's own thread, so its calls may block. The closure is `@Sendable`, but its
/// `Database` is not. So the closure cannot contain an `await`, and the connection cannot leave it. The closure may run
/// twice, if a prepared statement is stale in the middle of a transaction. So it must have no effects outside the
/// database.
///
/// The organization belongs to the transaction: row level security reads the setting `waymark.organization`. Without an
/// organization, the setting is empty, and no tenant's rows are visible.
///
/// The pool can run as a `Service`, and then ends with its group. It also works without a group.
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

    /// Reads from the database. Every statement is its own read-only transaction, sent in one round trip with its
    /// settings.
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
    /// one read-only transaction per organization. If a statement takes half a second or is refused, it is read again
    /// separately.
    ///
    /// - Parameters: As above.
    /// - Returns: The rows.
    /// - Throws: `PostgresError`.
    public func read(
        as organization: UUID? = nil, deadline: Duration? = nil, _ statement: SQL
    ) async throws -> [Row] {
        let limit = MonotonicInstant.now + (deadline ?? core.configuration.deadline)
        // Behind a pooler, or with a deadline beyond the session's limit, each access sends its own settings.
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

    /// Reads and writes in one transaction. It is committed if `body` returns, and rolled back if `body` throws an
    /// error.
    ///
    /// - Parameters: As for `read`.
    /// - Returns: The result of `body`, after the commit.
    /// - Throws: `PostgresError`, or the error of `body`. Nothing was changed then, except possibly after
    ///   `.commitOutcomeUnknown`.
    @discardableResult
    public func write<Success: Sendable>(
        as organization: UUID? = nil, deadline: Duration? = nil,
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let access = Access(organization: organization, mayWrite: true)
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
                // The handler may have run before there was an access to cancel.
                if Task.isCancelled { pending.cancel() }
                core.submit(pending)
            }
        } onCancel: {
            if let pending = cell.withLockedValue({ $0 }) { core.cancel(pending) }
        }
    }

    /// Closes idle connections, lets running accesses finish, and refuses new ones.
    ///
    /// Returns when all connections are closed, or after the default deadline of an access plus two seconds.
    public func close() async {
        core.close()
        let limit = MonotonicInstant.now + core.configuration.deadline + .seconds(2)
        while !core.isEmpty, MonotonicInstant.now < limit {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }
}

extension PostgresPool: Service {
    /// Waits for the shutdown of the group, then closes.
    public func run() async throws {
        try? await gracefulShutdown()
        await close()
    }
}

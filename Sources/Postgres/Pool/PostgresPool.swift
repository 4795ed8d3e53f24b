public import FoundationEssentials
public import Logging
import NIOConcurrencyHelpers
public import ServiceLifecycle
import Timing

/// Connections to one database as one role, and the only way to use them: a closure at a time.
///
/// ```swift
/// let name = try await pool.read(as: organization) { db in
///     try db.first("select name from teams where team_id = \(id)")?.decode("name", as: String.self)
/// }
/// ```
///
/// The closure runs on the connection's own thread, so that its calls may block. It is `@Sendable`, and the `Database`
/// it gets is not: nothing in it can await, and the connection cannot leave it. It may run a second time, when a
/// prepared statement turns out to be out of date in the middle of a transaction, so its effects belong into the
/// database alone.
///
/// The organization is a property of the transaction: the setting `waymark.organization`, which row level security
/// reads. Without one it is empty, and no tenant's rows are visible.
///
/// As a `Service` it ends with its group; it works without being run as one, too.
public final class PostgresPool: Sendable {
    let core: PoolCore
    private let sharedReads: SharedReads

    /// Connects when first used.
    public init(_ configuration: PostgresConfiguration, logger: Logger) {
        core = PoolCore(configuration: configuration, logger: logger)
        sharedReads = SharedReads(core: core)
    }

    deinit {
        core.close()
    }

    /// Reads. Every statement is a read-only transaction of its own, sent in one round trip together with its settings.
    ///
    /// - Parameters:
    ///   - organization: whose rows; nil for none.
    ///   - deadline: how long it may take, waiting included; nil for the configuration's.
    ///   - body: the statements.
    /// - Returns: what `body` returns.
    /// - Throws: `PostgresError`, or what `body` throws. A statement that writes is refused with SQLSTATE 25006.
    @discardableResult
    public func read<Success: Sendable>(
        as organization: UUID? = nil, deadline: Duration? = nil,
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let access = Access(organization: organization, mayWrite: false)
        return try await run(access, deadline: deadline, body)
    }

    /// Reads with a single statement: the quick way for what is found by its key. What several callers read at the same
    /// time goes out together, in a read-only transaction for each organization; what takes half a second, or is
    /// refused, is read alone instead.
    ///
    /// - Parameters: as above.
    /// - Returns: the rows.
    /// - Throws: `PostgresError`.
    public func read(
        as organization: UUID? = nil, deadline: Duration? = nil, _ statement: SQL
    ) async throws -> [Row] {
        let limit = MonotonicInstant.now + (deadline ?? core.configuration.deadline)
        // Behind a pooler, and with more time than the session's limit, settings of its own go with each access.
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

    /// Reads and writes in one transaction: committed when `body` returns, rolled back when it throws.
    ///
    /// - Parameters: as for `read`.
    /// - Returns: what `body` returns, once it is committed.
    /// - Throws: `PostgresError`, or what `body` throws; nothing has happened then, but for
    ///   `.commitOutcomeUnknown`.
    @discardableResult
    public func write<Success: Sendable>(
        as organization: UUID? = nil, deadline: Duration? = nil,
        _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let access = Access(organization: organization, mayWrite: true)
        return try await run(access, deadline: deadline, body)
    }

    /// Runs statements that refuse to be part of a transaction (`create database`), each on its own.
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
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { pending.cancel() }
                core.submit(pending)
            }
        } onCancel: {
            if let pending = cell.withLockedValue({ $0 }) { core.cancel(pending) }
        }
    }

    /// Closes idle connections, lets running accesses finish, and refuses new ones.
    ///
    /// Returns when all connections are closed, or after the longest that an access may take by default.
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

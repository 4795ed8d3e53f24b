import CLibPQ
import Logging

/// The thread of one connection. It connects, and then runs one access after another until the connection ends.
final class ConnectionThread: Sendable {
    let slot: Int
    let wakeUp = WakeUp()
    /// Ends a connection attempt or an idle connection.
    let closing = Cancellation()
    private let configuration: PostgresConfiguration
    private let logger: Logger
    private let core: PoolCore

    init(slot: Int, configuration: PostgresConfiguration, logger: Logger, core: PoolCore) {
        self.slot = slot
        self.configuration = configuration
        self.logger = logger
        self.core = core
    }

    /// - Returns: false if the system has no free thread or descriptor.
    func start() -> Bool {
        wakeUp.descriptor >= 0 && Thread.start(named: "postgres-\(slot)") { self.run() }
    }

    /// Ends the connection if it is idle or connecting.
    func stop() {
        closing.cancel()
        wakeUp.raise()
    }

    private func run() {
        let connection: Connection
        do throws(PostgresError) {
            let wire = try Wire.connect(configuration, wakeUp: wakeUp, logger: logger, cancellation: closing)
            connection = Connection(wire: wire, configuration: configuration)
        } catch {
            core.openingFailed(slot, error)
            return
        }
        var pending = core.ready(slot, isOpening: true)
        while true {
            guard let current = pending ?? waitForAccess(connection) else { break }
            let notifyCaller = current.run(on: connection)
            guard connection.isFit else {
                connection.wire.isBroken = true
                connection.wire.close()
                core.lost(slot)
                notifyCaller()
                return
            }
            pending = core.ready(slot, isOpening: false)
            notifyCaller()
        }
        connection.wire.close()
        core.lost(slot)
    }

    /// Waits while the connection is idle.
    ///
    /// - Returns: The next access, or `nil` if the server or the pool has closed the connection.
    private func waitForAccess(_ connection: Connection) -> PendingAccess? {
        while true {
            if let pending = core.assigned(to: slot) { return pending }
            guard !closing.isCancelled else { return nil }
            guard connection.wire.waitWhileIdle() else {
                logger.info("postgres connection was closed by the server")
                return nil
            }
        }
    }
}

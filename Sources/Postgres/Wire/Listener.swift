public import Logging
import NIOConcurrencyHelpers
public import ServiceLifecycle
import Timing

/// Receives notifications from some channels on its own connection. Errors do not stop it: it logs an error once, and
/// retries with increasing, randomized pauses.
///
/// Notifications sent while no connection exists are lost. So check for changes after ``Event/listening``, and also at
/// regular intervals. A pooler in transaction mode does not deliver notifications.
public final class Listener: Sendable {
    /// An event of a listener.
    public enum Event: Sendable, Hashable {
        /// The listener is connected and receives all new notifications. Earlier ones may have been missed.
        case listening
        /// The connection was lost: notifications may be missed until the next `listening`.
        case lost
        /// A notification arrived.
        case notification(Notification)
    }

    /// The maximum number of unread events. Older ones are dropped.
    private static let maximumBacklog = 1024
    /// The interval between checks of a silent connection.
    private static let heartbeat: Duration = .seconds(30)
    private static let backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))

    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let logger: Logger
    private let wakeUp = WakeUp()
    private let closing = Cancellation()
    private let readers = NIOLockedValueBox<[Int: AsyncStream<Event>.Continuation]>([:])

    /// Creates a listener. It connects when it runs.
    public init(_ configuration: PostgresConfiguration, channels: [String], logger: Logger) {
        self.configuration = configuration
        self.channels = channels
        self.logger = logger
    }

    /// Starts a stream of the events from now on. Each call creates its own stream, which ends with the listener.
    public func events() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.maximumBacklog))
        let number = readers.withLockedValue { readers in
            let number = (readers.keys.max() ?? 0) + 1
            readers[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.readers.withLockedValue { $0.removeValue(forKey: number) }
        }
        if closing.isCancelled { continuation.finish() }
        return stream
    }

    private func tell(_ event: Event) {
        for reader in readers.withLockedValue({ Array($0.values) }) { reader.yield(event) }
    }

    private func stop() {
        closing.cancel()
        wakeUp.raise()
    }

    /// Runs on the listener's thread.
    private func listen() {
        var failures = 0
        while !closing.isCancelled {
            do throws(PostgresError) {
                let wire = try Wire.connect(configuration, wakeUp: wakeUp, logger: logger, cancellation: closing)
                try subscribe(wire)
                failures = 0
                tell(.listening)
                try hear(wire)
            } catch {
                guard !closing.isCancelled else { return }
                if failures == 0 { tell(.lost) }
                if failures == 0 { logger.warning("the listener lost its connection", metadata: ["error": "\(error)"]) }
                failures += 1
                wait(until: .now + Self.backoff.pause(afterFailures: failures))
            }
        }
    }

    private func wait(until moment: MonotonicInstant) {
        while !closing.isCancelled, MonotonicInstant.now < moment { wakeUp.wait(until: moment) }
    }

    private func subscribe(_ wire: Wire) throws(PostgresError) {
        let commands = try channels.map { channel throws(PostgresError) in
            let statement: SQL = "listen \(identifier: channel)"
            if let failure = statement.failure { throw failure }
            return Command.execute(text: statement.text, parameters: [])
        }
        try run(commands, on: wire)
    }

    private func hear(_ wire: Wire) throws(PostgresError) {
        while !closing.isCancelled {
            let beat = MonotonicInstant.now + Self.heartbeat
            while let notification = wire.nextNotification() { tell(.notification(notification)) }
            guard wire.waitWhileIdle(until: beat) else { throw wire.lost() }
            // A broken connection may look open to both sides, so send a statement and wait for its result.
            if MonotonicInstant.now >= beat { try run([.execute(text: "select 1", parameters: [])], on: wire) }
        }
    }

    private func run(_ commands: [Command], on wire: Wire) throws(PostgresError) {
        let limit = MonotonicInstant.now + configuration.deadline
        for result in try wire.run(commands, until: limit, cancellation: closing) {
            if let error = result.error { throw PostgresError(server: error) }
        }
    }
}

extension Listener: Service {
    /// Listens until the service group shuts down or the task is cancelled. Errors do not end it.
    public func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await Thread.run(named: "postgres-listen") { self.listen() }
        } onCancelOrGracefulShutdown: {
            self.stop()
        }
        for reader in readers.withLockedValue({ Array($0.values) }) { reader.finish() }
    }
}

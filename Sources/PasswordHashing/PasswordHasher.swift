import NIOPosix
import Synchronization

/// Hashes and compares passwords on threads of its own, a few at a time. A hash takes 128 MiB, so more of them at once
/// would use up the memory during a flood of sign-ins.
public final class PasswordHasher: Sendable {
    /// The error if too many callers wait already. Try again after a few seconds.
    public struct Busy: Error {}

    /// The number of hashes that are computed at the same time.
    public static let concurrency = 2
    /// The maximum number of callers that wait for a thread.
    public static let maximumWaiting = 16
    private static let maximumCallers = concurrency + maximumWaiting

    private let threads = NIOThreadPool(numberOfThreads: PasswordHasher.concurrency)
    private let callers = Mutex(0)
    /// The hash to compare for a user without a password, so that the answer takes the same time.
    private static let decoy = PasswordHash(of: "")

    /// Creates a hasher.
    public init() { threads.start() }

    deinit { threads.shutdownGracefully { _ in } }

    /// Throws ``Busy`` if another caller would be refused now.
    public func requireRoom() throws(Busy) {
        guard callers.withLock({ $0 < Self.maximumCallers }) else { throw Busy() }
    }

    /// Hashes a password. Throws ``Busy``.
    public func hash(_ password: String) async throws -> PasswordHash {
        try await compute { PasswordHash(of: password) }
    }

    /// Returns whether the password has this hash. If `hash` is `nil`, returns false after the same work. Throws ``Busy``.
    public func matches(_ password: String, _ hash: PasswordHash?) async throws -> Bool {
        try await compute { (hash ?? Self.decoy).matches(password) && hash != nil }
    }

    private func compute<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
        try callers.withLock { count in
            guard count < Self.maximumCallers else { throw Busy() }
            count += 1
        }
        defer { callers.withLock { $0 -= 1 } }
        return try await threads.runIfActive { work() }
    }
}

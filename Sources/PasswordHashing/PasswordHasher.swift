public import FoundationEssentials
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
    /// The maximum number of places that one client holds, so that it leaves some to others.
    public static let maximumOfClient = 6
    private static let maximumCallers = concurrency + maximumWaiting

    private struct Callers {
        var all = 0
        var ofClients: [UUID: Int] = [:]

        func hasRoom(for client: UUID) -> Bool {
            all < maximumCallers && ofClients[client, default: 0] < maximumOfClient
        }

        mutating func add(_ number: Int, _ client: UUID) {
            all += number
            let left = ofClients[client, default: 0] + number
            ofClients[client] = left == 0 ? nil : left
        }
    }

    private let threads = NIOThreadPool(numberOfThreads: PasswordHasher.concurrency)
    private let callers = Mutex(Callers())
    /// The hash to compare for a user without a password, so that the answer takes the same time.
    private static let decoy = PasswordHash(of: "")

    /// Creates a hasher.
    public init() { threads.start() }

    deinit { threads.shutdownGracefully { _ in } }

    /// Throws ``Busy`` if another call of this client would be refused now.
    public func requireRoom(for client: UUID) throws(Busy) {
        guard callers.withLock({ $0.hasRoom(for: client) }) else { throw Busy() }
    }

    /// Hashes a password. Throws ``Busy``.
    public func hash(_ password: String, for client: UUID) async throws -> PasswordHash {
        try await compute(for: client) { PasswordHash(of: password) }
    }

    /// Returns whether the password has this hash. If `hash` is `nil`, returns false after the same work. Throws ``Busy``.
    public func matches(_ password: String, _ hash: PasswordHash?, for client: UUID) async throws -> Bool {
        try await compute(for: client) { (hash ?? Self.decoy).matches(password) && hash != nil }
    }

    private func compute<Value: Sendable>(
        for client: UUID, _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try callers.withLock { callers in
            guard callers.hasRoom(for: client) else { throw Busy() }
            callers.add(1, client)
        }
        defer { callers.withLock { $0.add(-1, client) } }
        return try await threads.runIfActive { work() }
    }
}

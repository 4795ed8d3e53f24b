import CLinux
import Glibc

/// Threads for blocking calls. Such calls must not run on Swift's cooperative threads.
enum Thread {
    /// Runs `body` on a new thread.
    ///
    /// - Returns: false if the system has no free thread.
    @discardableResult
    static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(name: name, run: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        guard pthread_create(&thread, &attributes, entry, box.toOpaque()) == 0 else {
            box.release()
            return false
        }
        return true
    }

    /// Runs blocking work on a new thread, and waits for it without blocking the caller's thread.
    static func run<Success: Sendable>(
        named name: String, _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            let started = start(named: name) { continuation.resume(with: Result(catching: body)) }
            if !started { continuation.resume(throwing: PostgresError(.connection, "no thread left")) }
        }
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        // Linux limits a thread's name to 15 characters.
        pthread_setname_np(pthread_self(), String(body.name.prefix(15)))
        body.run()
        return nil
    }
}

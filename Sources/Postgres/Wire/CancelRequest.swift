import CLibPQ
import NIOConcurrencyHelpers

/// Asks the server to stop what a connection is doing.
///
/// libpq's `PQcancel` opens a connection of its own and waits for the server without a limit, so it gets a thread of
/// its own: whoever asks goes on at once. A frozen server keeps such a thread, hence the limit on their number; beyond
/// it nothing is sent, and the server's `statement_timeout` ends the statement.
enum CancelRequest {
    private static let maximumRunning = 16
    private static let running = NIOLockedValueBox(0)

    /// Sends the request; the handle comes from `PQgetCancel` and is freed here.
    static func send(_ handle: OpaquePointer) {
        let isAllowed = running.withLockedValue { running in
            guard running < maximumRunning else { return false }
            running += 1
            return true
        }
        // PQcancel may be called on any thread: the handle is a copy of all that it needs.
        nonisolated(unsafe) let handle = handle
        let isStarted =
            isAllowed
            && Thread.start(named: "postgres-cancel") {
                var message = [CChar](repeating: 0, count: 256)
                _ = PQcancel(handle, &message, Int32(message.count))
                PQfreeCancel(handle)
                running.withLockedValue { $0 -= 1 }
            }
        guard !isStarted else { return }
        if isAllowed { running.withLockedValue { $0 -= 1 } }
        PQfreeCancel(handle)
    }
}

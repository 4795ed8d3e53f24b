import CLibPQ
import NIOConcurrencyHelpers

/// Asks the server to cancel the running statement of a connection.
///
/// libpq's `PQcancel` opens its own connection and waits for the server without a time limit. So it runs on its own
/// thread, and the caller continues immediately. An unresponsive server blocks this thread, so the number of threads is
/// limited. Above the limit, no request is sent, and the server's `statement_timeout` ends the statement.
enum CancelRequest {
    private static let maximumRunning = 16
    private static let running = NIOLockedValueBox(0)

    /// Sends the request. The handle must come from `PQgetCancel` and is freed here.
    static func send(_ handle: OpaquePointer) {
        let isAllowed = running.withLockedValue { running in
            guard running < maximumRunning else { return false }
            running += 1
            return true
        }
        // `PQcancel` can be called on any thread, because the handle contains a copy of all required data.
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

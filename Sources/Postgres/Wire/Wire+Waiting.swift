import CLibPQ
import Glibc
import Timing

extension Wire {
    /// The result of waiting.
    enum Wait {
        /// The socket is readable, writable or closed.
        case ready
        /// Another thread raised the wake-up.
        case woken
        /// The deadline has passed.
        case late
    }

    /// Waits for the socket, a wake-up or the deadline.
    func wait(toWrite: Bool, until deadline: MonotonicInstant) throws(PostgresError) -> Wait {
        guard let wait = Self.wait(for: PQsocket(connection), toWrite: toWrite, wakeUp: wakeUp, until: deadline) else {
            throw lost()
        }
        return wait
    }

    /// - Returns: The result, or `nil` if the descriptor is invalid.
    static func wait(for socket: Int32, toWrite: Bool, wakeUp: WakeUp, until deadline: MonotonicInstant) -> Wait? {
        guard socket >= 0 else { return nil }
        let interest = Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0)
        while true {
            let now = MonotonicInstant.now
            guard now < deadline else { return .late }
            var polled = (
                pollfd(fd: socket, events: interest, revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
            )
            let count = withUnsafeMutablePointer(to: &polled) { pointer in
                pointer.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, deadline.pollTimeout(from: now)) }
            }
            if count < 0, errno != EINTR { return nil }
            guard count > 0 else { continue }
            if polled.0.revents & Int16(POLLNVAL) != 0 { return nil }
            if polled.1.revents != 0 {
                wakeUp.clear()
                return .woken
            }
            return .ready
        }
    }
}

extension Wire {
    /// Waits while no statement is running: for a wake-up, for unsolicited data from the server, or for the deadline.
    ///
    /// - Returns: False if the server has closed the connection.
    func waitWhileIdle(until deadline: MonotonicInstant = .distantFuture) -> Bool {
        guard !isBroken, let wait = try? wait(toWrite: false, until: deadline) else { return false }
        guard wait == .ready else { return true }
        // Notices and changed settings can arrive at any time. They are processed here.
        guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else {
            isBroken = true
            return false
        }
        while PQisBusy(connection) == 0, let result = PQgetResult(connection) { PQclear(result) }
        guard PQstatus(connection) == CONNECTION_OK else {
            isBroken = true
            return false
        }
        return true
    }
}

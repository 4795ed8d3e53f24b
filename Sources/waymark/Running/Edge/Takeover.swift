import Glibc
import Logging
import Snapshot

/// Lets a new edge take over from the edge of an earlier process. No connection is refused, and no response is older
/// than an earlier one.
///
/// 1. The new edge listens but does not accept, so its connections wait. It signals the old edge to end.
/// 2. The old edge stops following, closes its listener and releases the lock. The kernel resets connections that were
///    waiting at the old listener. Their clients retry.
/// 3. The new edge reads the disk again, so that both edges have the same table. It then accepts connections. The old
///    edge finishes its accepted connections.
/// 4. When the old edge has ended, the new edge starts to follow the snapshot.
final class Takeover: Sendable {
    /// The time in which the old edge must release the lock. After it, the edge is killed, because connections would
    /// otherwise wait forever.
    private static let patience = Duration.seconds(5)
    /// The time in which the old edge must then end. It is longer than the edge needs for its connections and its last
    /// report.
    private static let ending = Duration.seconds(10)
    private static let pause = Duration.milliseconds(5)

    /// The file that names the process of the accepting edge. This process holds a lock on it.
    private let file: OpenFile
    private let over = AsyncStream<Void>.makeStream()
    private let logger: Logger

    /// - Parameter path: The path of the file that names the accepting edge. It is created if missing.
    init(path: String, logger: Logger) throws(FileSystemError) {
        file = try OpenFile(path, flags: O_RDWR | O_CREAT)
        self.logger = logger
    }

    /// Waits until no other edge accepts connections. Call it when this edge listens. Returns immediately if the task
    /// is cancelled.
    ///
    /// - Parameter catchUp: Called when the other edge no longer changes the disk.
    func takeOver(catchUp: () async -> Void) async {
        let old = await untilReleased()
        if !Task.isCancelled {
            claim()
            await catchUp()
        }
        Task {
            if let old { await untilEnded(old) }
            over.continuation.finish()
        }
    }

    /// Releases the lock, so that the next edge can accept.
    func release() { _ = flock(file.descriptor, LOCK_UN) }

    /// Waits until this edge has taken over and the old edge has ended, or until the task is cancelled.
    func untilOver() async {
        for await _ in over.stream {}
    }

    /// Signals the accepting edge to end, and waits until no edge accepts.
    /// - Returns: The process that was signalled, if any.
    private func untilReleased() async -> pid_t? {
        var told: pid_t?
        var end = ContinuousClock.now
        while !lock(), let edge = namedEdge(), !Task.isCancelled {
            if edge != told {
                kill(edge, SIGTERM)
                (told, end) = (edge, .now + Self.patience)
            }
            await wait(for: edge, until: &end)
        }
        return told
    }

    private func untilEnded(_ edge: pid_t) async {
        var end = ContinuousClock.now + Self.ending
        while ProcessFiles.isEdge(edge) { await wait(for: edge, until: &end) }
    }

    /// Waits for a short time. Kills the edge if its time limit has passed.
    private func wait(for edge: pid_t, until end: inout ContinuousClock.Instant) async {
        if ContinuousClock.now > end {
            logger.warning("The previous edge hangs; killing it.", metadata: ["process": "\(edge)"])
            kill(edge, SIGKILL)
            end = .now + Self.patience
        }
        try? await Task.sleep(for: Self.pause)
    }

    private func lock() -> Bool { flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Writes this process's ID to the file. Overwrites the old bytes in place, which also works on a full disk.
    private func claim() {
        _ = lock()
        let text = Array("\(getpid())\n".utf8)
        try? file.writeAll(text)
        _ = ftruncate(file.descriptor, off_t(text.count))
    }

    /// The process that the file names, if it is still running and is the same program.
    private func namedEdge() -> pid_t? {
        guard let bytes = try? OpenFile.beginning(of: file.path, count: 16),
            let pid = pid_t(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)),
            pid != getpid(), ProcessFiles.isEdge(pid)
        else { return nil }
        return pid
    }
}

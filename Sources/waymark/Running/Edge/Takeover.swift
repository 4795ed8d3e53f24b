import Glibc
import Logging
import Snapshot

/// Lets a new edge take over from one that an earlier process left running: no connection is refused, and no answer is
/// older than one before it.
///
/// 1. The new one listens and accepts nothing: its connections wait. It tells the old one to end.
/// 2. The old one stops following, closes its listener, and lets go. A connection that waited to be accepted there is
///    reset by the kernel, and its client tries again.
/// 3. The new one reads the disk again, so that both have the same table, and accepts, while the old one answers what it
///    has accepted.
/// 4. Once the old one has ended, the new one follows.
final class Takeover: Sendable {
    /// How long the old one may take to let go. One that hangs or has been stopped would keep connections waiting for
    /// ever: it is killed.
    private static let patience = Duration.seconds(5)
    /// How long it may take to end after that; longer than an edge gives its connections and its last report.
    private static let ending = Duration.seconds(10)
    private static let pause = Duration.milliseconds(5)

    /// Names the process of the edge that accepts, and is locked by it.
    private let file: OpenFile
    private let over = AsyncStream<Void>.makeStream()
    private let logger: Logger

    /// - Parameter path: of the file that names the edge that accepts; made where it is missing.
    init(path: String, logger: Logger) throws(FileSystemError) {
        file = try OpenFile(path, flags: O_RDWR | O_CREAT)
        self.logger = logger
    }

    /// Returns when no other edge accepts; for an edge that listens. Where the task is cancelled, it returns at once.
    ///
    /// - Parameter catchUp: called when the other one changes nothing on the disk any more.
    func takeOver(catchUp: () async -> Void) async {
        let old = await untilLetGo()
        if !Task.isCancelled {
            claim()
            await catchUp()
        }
        Task {
            if let old { await untilEnded(old) }
            over.continuation.finish()
        }
    }

    /// The next edge may accept from now on.
    func letGo() { _ = flock(file.descriptor, LOCK_UN) }

    /// Returns when this edge has taken over and the old one has ended, or when the task is cancelled.
    func untilOver() async {
        for await _ in over.stream {}
    }

    /// Tells the edge that accepts to end, and waits until none does; which one was told.
    private func untilLetGo() async -> pid_t? {
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

    /// Waits a moment, and kills an edge for which the time is over.
    private func wait(for edge: pid_t, until end: inout ContinuousClock.Instant) async {
        if ContinuousClock.now > end {
            logger.warning("The edge before this one hangs; it is killed.", metadata: ["process": "\(edge)"])
            kill(edge, SIGKILL)
            end = .now + Self.patience
        }
        try? await Task.sleep(for: Self.pause)
    }

    private func lock() -> Bool { flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Names this process. The bytes are written over those before: a full disk has room for them.
    private func claim() {
        _ = lock()
        let text = Array("\(getpid())\n".utf8)
        try? file.writeAll(text)
        _ = ftruncate(file.descriptor, off_t(text.count))
    }

    /// The edge that the file names, if it still runs and is the same program.
    private func namedEdge() -> pid_t? {
        guard let bytes = try? OpenFile.beginning(of: file.path, count: 16),
            let pid = pid_t(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)),
            pid != getpid(), ProcessFiles.isEdge(pid)
        else { return nil }
        return pid
    }
}

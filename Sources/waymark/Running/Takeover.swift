import FoundationEssentials
import Glibc
import Snapshot

/// Lets a new edge take over from one that an earlier process left running: both listen for a moment, then the old one
/// is told to finish. Requests on connections that either has accepted are answered; a connection that still waits to be
/// accepted when the old one closes its listener is reset by the kernel, and its client tries again.
struct Takeover: Sendable {
    /// The file that names the running edge's process.
    let path: String

    /// How long the old one may take to finish. One that hangs or has been stopped would keep its share of the connections
    /// waiting for ever: it is killed.
    private static let patience = Duration.seconds(10)

    /// Called once this process listens.
    func takeOver() {
        if let old = runningEdge() { end(old) }
        try? OpenFile(path, flags: O_WRONLY | O_CREAT | O_TRUNC).writeAll(Array("\(getpid())\n".utf8))
    }

    /// The edge that the file names, if it still runs and is the same program.
    private func runningEdge() -> pid_t? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let pid = pid_t(text.prefix { $0.isNumber }),
            pid != getpid(), isEdge(pid)
        else { return nil }
        return pid
    }

    private func isEdge(_ pid: pid_t) -> Bool {
        guard let command = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
        let arguments = command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return arguments.suffix(3) == ["serve", "--role", "edge"]
    }

    private func end(_ old: pid_t) {
        kill(old, SIGTERM)
        Task {
            try await Task.sleep(for: Self.patience)
            if isEdge(old) { kill(old, SIGKILL) }
        }
    }
}

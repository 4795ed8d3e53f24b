import FoundationEssentials
import Glibc
import Snapshot

/// Lets a new edge take over from one that an earlier process left running: both listen for a moment, then the old one
/// is told to finish. Requests on connections that either has accepted are answered; a connection that still waits to be
/// accepted when the old one closes its listener is reset by the kernel, and its client tries again.
struct Takeover: Sendable {
    /// The file that names the running edge's process.
    let path: String

    /// Called once this process listens.
    func takeOver() {
        if let old = runningEdge() { kill(old, SIGTERM) }
        try? OpenFile(path, flags: O_WRONLY | O_CREAT | O_TRUNC).writeAll(Array("\(getpid())\n".utf8))
    }

    /// The edge that the file names, if it still runs and is the same program.
    private func runningEdge() -> pid_t? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let pid = pid_t(text.prefix { $0.isNumber }),
            pid != getpid(), let command = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")
        else { return nil }
        let arguments = command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return arguments.suffix(3) == ["serve", "--role", "edge"] ? pid : nil
    }
}

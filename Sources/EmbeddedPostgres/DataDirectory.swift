import Crypto
import Glibc
import Hex

/// The files of an embedded cluster, and what they tell about it.
struct DataDirectory: Sendable {
    enum Content: Equatable {
        case nothing
        case cluster(major: Int)
        case somethingElse
    }

    struct Postmaster: Equatable {
        let pid: pid_t
        let isReady: Bool
    }

    /// Absolute.
    let path: String

    var lockPath: String { path + ".lock" }
    var logPath: String { path + ".log" }
    /// Where the cluster is made; it gets its name when it is whole, so that a cluster is never half made.
    var draftPath: String { path + ".new" }

    /// Where the socket lies. PostgreSQL allows 107 bytes for its whole path.
    var socketDirectory: String {
        let beside = path + ".socket"
        guard beside.utf8.count + "/.s.PGSQL.5432".utf8.count > 107 else { return beside }
        return "/tmp/waymark-" + Hexadecimal.encode(SHA256.hash(data: Array(path.utf8)).prefix(12))
    }

    var content: Content {
        if let version = TextFile.lines(path + "/PG_VERSION")?.first, let major = Int(version) {
            return .cluster(major: major)
        }
        guard let directory = opendir(path) else { return .nothing }
        defer { closedir(directory) }
        var entries = 0
        while readdir(directory) != nil { entries += 1 }
        return entries <= 2 ? .nothing : .somethingElse
    }

    /// The server that runs on these data, whoever started it.
    var postmaster: Postmaster? {
        guard let lines = TextFile.lines(path + "/postmaster.pid"), let pid = lines.first.flatMap({ pid_t($0) }),
            isPostmaster(pid)
        else { return nil }
        // Line 8 is the state, as pg_ctl reads it (src/include/utils/pidfile.h).
        return Postmaster(pid: pid, isReady: lines.count > 7 && lines[7].hasPrefix("ready"))
    }

    /// Removes the server's own lock files when their process number belongs to no server of these data any more: to
    /// another program, as after a restart of the machine or container, or to a killed server that nobody has reaped.
    /// PostgreSQL would take it for a running server. The caller holds the folder's lock.
    ///
    /// While a backend outlives its killed postmaster the locks stay: they keep a second server from the same memory.
    func removeStaleLock() async {
        for _ in 0..<50 where hasProcesses { try? await Task.sleep(for: .milliseconds(100)) }
        guard postmaster == nil, !hasProcesses else { return }
        unlink(path + "/postmaster.pid")
        unlink(socketDirectory + "/.s.PGSQL.5432.lock")
    }

    /// Whether a process of a server lives in these data: its working directory is there.
    private var hasProcesses: Bool {
        guard let processes = opendir("/proc") else { return false }
        defer { closedir(processes) }
        while let entry = readdir(processes) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if pid_t(name) != nil, SymbolicLink.target(of: "/proc/\(name)/cwd") == path { return true }
        }
        return false
    }

    /// Process numbers come again: the program and its arguments must be ours as well.
    private func isPostmaster(_ pid: pid_t) -> Bool {
        guard pid > 0, let bytes = TextFile.read("/proc/\(pid)/cmdline") else { return false }
        let arguments = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return arguments.first?.hasSuffix("/postgres") == true && arguments.contains(path)
    }
}

import Crypto
import Glibc
import Hex

/// The files of an embedded cluster. They also show whether its server runs.
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

    /// The absolute path of the data directory.
    let path: String

    var lockPath: String { path + ".lock" }
    var logPath: String { path + ".log" }
    /// The path where the cluster is created. When it is complete, it is renamed to `path`, so `path` never contains an
    /// incomplete cluster.
    var draftPath: String { path + ".new" }

    /// The folder of the socket. PostgreSQL limits the path of the socket to 107 bytes.
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

    /// The server that runs on this data, if any. Any process may have started it.
    var postmaster: Postmaster? {
        guard let lines = TextFile.lines(path + "/postmaster.pid"), let pid = lines.first.flatMap({ pid_t($0) }),
            isPostmaster(pid)
        else { return nil }
        // Line 8 is the server's state (src/include/utils/pidfile.h in PostgreSQL).
        return Postmaster(pid: pid, isReady: lines.count > 7 && lines[7].hasPrefix("ready"))
    }

    /// Removes the server's lock files if no server runs on this data. The process ID in a lock file may belong to another
    /// program, for example after a restart of the machine or container. It may also belong to a killed server that still
    /// has an entry in the process table. In both cases, PostgreSQL would believe that its server runs. The caller must
    /// hold the folder's lock.
    ///
    /// If a backend of a killed postmaster is still running, the lock files stay. They prevent a second server from
    /// using the same shared memory.
    func removeStaleLock() async {
        for _ in 0..<50 where hasProcesses { try? await Task.sleep(for: .milliseconds(100)) }
        guard postmaster == nil, !hasProcesses else { return }
        unlink(path + "/postmaster.pid")
        unlink(socketDirectory + "/.s.PGSQL.5432.lock")
    }

    /// True if a process has this data directory as its working directory. Every PostgreSQL server process has.
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

    /// Returns true if the process is a postmaster of this data. Its program and arguments are checked, because process
    /// IDs are reused.
    private func isPostmaster(_ pid: pid_t) -> Bool {
        guard pid > 0, let bytes = TextFile.read("/proc/\(pid)/cmdline") else { return false }
        let arguments = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return arguments.first?.hasSuffix("/postgres") == true && arguments.contains(path)
    }
}

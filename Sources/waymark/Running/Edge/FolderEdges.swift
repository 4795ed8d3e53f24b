import FoundationEssentials
import Glibc
import Logging

/// The other edges that use a state folder, however they were started. They are found in two ways. An edge keeps the
/// file open that names the accepting edge (``Takeover``). An edge that `serve` has just started has the folder in its
/// environment.
struct FolderEdges: Sendable {
    /// The time in which an edge must end. It is longer than the edge needs for its connections and its last report.
    private static let patience = Duration.seconds(10)

    /// The state folder.
    let folder: String
    private let file: String

    init(_ settings: Settings) {
        folder = settings.stateDirectory
        file = settings.edgeProcessFile
    }

    /// The running edges.
    var processes: [pid_t] {
        guard let own = FileNumber(folder) else { return [] }
        let held = FileNumber(file)
        return ProcessFiles.all().filter { pid in
            guard pid != getpid(), ProcessFiles.isEdge(pid) else { return false }
            if let held, ProcessFiles.hasOpen(held, pid) { return true }
            return ProcessFiles.stateFolder(of: pid) == own
        }
    }

    /// Ends the edges. Returns when none is running. Kills an edge that hangs.
    func end(_ logger: Logger) async {
        let end = ContinuousClock.now + Self.patience
        var told: Set<pid_t> = []
        while case let left = processes, !left.isEmpty {
            let isLate = ContinuousClock.now > end
            for pid in left where isLate || told.insert(pid).inserted { kill(pid, isLate ? SIGKILL : SIGTERM) }
            if isLate { logger.warning("An edge hangs; killing it.", metadata: ["processes": "\(left)"]) }
            guard ContinuousClock.now < end + Self.patience else { return }
            try? await Task.sleep(for: isLate ? .seconds(1) : .milliseconds(10))
        }
    }
}

/// Identifies a file or folder better than its path. Two paths can refer to the same file. A path that is relative or
/// in a container can refer to different files.
struct FileNumber: Equatable {
    private let device: UInt
    private let inode: UInt

    /// Returns `nil` if the path does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}

/// Information about processes from the kernel (proc(5)). Most of it is readable only for the user's own processes, so
/// other users' processes are not found.
enum ProcessFiles {
    /// All processes.
    static func all() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    }

    /// Returns true if the command of a process is `serve --role edge` or `serve --role=edge`.
    static func isEdge(_ pid: pid_t) -> Bool {
        guard let command = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
        let words = command.split { $0 == 0 || $0 == UInt8(ascii: "=") }.map { String(decoding: $0, as: UTF8.self) }
        return words.contains("serve") && zip(words, words.dropFirst()).contains { $0 == ("--role", "edge") }
    }

    /// The open files of a process, as paths or as texts such as `socket:[123]`.
    static func open(by pid: pid_t) -> Set<String> {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
    }

    /// Returns true if a process has the file open.
    static func hasOpen(_ file: FileNumber, _ pid: pid_t) -> Bool {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { FileNumber("\(folder)/\($0)") == file }
    }

    /// The state folder in the environment of a process, or `nil`. Its path is resolved as for that process.
    static func stateFolder(of pid: pid_t) -> FileNumber? {
        let setting = "WAYMARK_STATE_DIRECTORY="
        guard let line = environment(of: pid).first(where: { $0.hasPrefix(setting) }) else { return nil }
        let path = line.dropFirst(setting.count)
        let start = path.hasPrefix("/") ? "root" : "cwd"
        return FileNumber("/proc/\(pid)/\(start)/\(path)")
    }

    /// The environment with which a process was started.
    private static func environment(of pid: pid_t) -> [String] {
        let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/environ")
        return bytes?.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } ?? []
    }
}

import FoundationEssentials
import Glibc
import Logging

/// The other edges of a state folder, regardless of how they were started. Each has the file open that names the
/// accepting edge (``Takeover``). Edges that `serve` has just started have the folder in their environment.
struct FolderEdges: Sendable {
    /// The time that an edge has to end. It is longer than the time for its connections and its last report.
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

    /// Ends the edges, and returns when none is running. A hanging edge is killed.
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

/// The identity of a file or folder. Two paths can refer to the same file. The same path can refer to different files
/// if it is relative or in a container.
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

/// Information about processes from the kernel (proc(5)). Most of it is not readable for processes of other users, so
/// these are not found.
enum ProcessFiles {
    /// All processes.
    static func all() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    }

    /// Whether a process is an edge: `serve --role edge` or `--role=edge`.
    static func isEdge(_ pid: pid_t) -> Bool {
        guard let command = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
        let words = command.split { $0 == 0 || $0 == UInt8(ascii: "=") }.map { String(decoding: $0, as: UTF8.self) }
        return words.contains("serve") && zip(words, words.dropFirst()).contains { $0 == ("--role", "edge") }
    }

    /// The open files of a process: paths, and `socket:[123]`.
    static func open(by pid: pid_t) -> Set<String> {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
    }

    /// Whether a process has a file open.
    static func hasOpen(_ file: FileNumber, _ pid: pid_t) -> Bool {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { FileNumber("\(folder)/\($0)") == file }
    }

    /// The state folder in the environment of a process, resolved as the process sees it. `nil` if the process has
    /// none.
    static func stateFolder(of pid: pid_t) -> FileNumber? {
        let setting = "WAYMARK_STATE_DIRECTORY="
        guard let line = environment(of: pid).first(where: { $0.hasPrefix(setting) }) else { return nil }
        let path = line.dropFirst(setting.count)
        let start = path.hasPrefix("/") ? "root" : "cwd"
        return FileNumber("/proc/\(pid)/\(start)/\(path)")
    }

    /// The environment of a process at its start.
    private static func environment(of pid: pid_t) -> [String] {
        let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/environ")
        return bytes?.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } ?? []
    }
}

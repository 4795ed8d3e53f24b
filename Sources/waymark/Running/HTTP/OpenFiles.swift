import Glibc
import Logging

/// How many files and connections this process may have open at once.
enum OpenFiles {
    /// What is open besides clients' connections: files, the database, the snapshot's source, logs.
    private static let reserve = 256

    /// Raises the limit to what the system allows the process: the usual 1,024 is meant for programs of another kind.
    static func raiseLimit() {
        var limit = limit
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many clients' connections there may be: `wanted`, or fewer where the system allows fewer open files, so that
    /// clients cannot keep the process from its own.
    static func connections(_ wanted: Int, logger: Logger) -> Int {
        let most = max(1, (Int(exactly: limit.rlim_cur) ?? .max) - reserve)
        guard most < wanted else { return wanted }
        logger.warning(
            "The system allows too few open files for the connections wanted.",
            metadata: ["files": "\(most + reserve)", "wanted": "\(wanted)", "connections": "\(most)"])
        return most
    }

    private static var limit: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
}

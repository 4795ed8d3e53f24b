import Glibc
import Logging

/// The limit of open files and connections of this process.
enum OpenFiles {
    /// The number of file descriptors that are reserved for files, the database, the snapshot's source and logs.
    private static let reserve = 256

    /// Raises the limit to the system's hard limit. The usual limit of 1,024 is too low for a server.
    static func raiseLimit() {
        var limit = limit
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The limit for client connections. It is `wanted`, or less if the system allows fewer open files, so that clients
    /// cannot use up the reserved file descriptors.
    static func connections(_ wanted: Int, logger: Logger) -> Int {
        let maximum = max(1, (Int(exactly: limit.rlim_cur) ?? .max) - reserve)
        guard maximum < wanted else { return wanted }
        logger.warning(
            "The system's limit of open files is too low for the configured connections.",
            metadata: ["files": "\(maximum + reserve)", "wanted": "\(wanted)", "connections": "\(maximum)"])
        return maximum
    }

    private static var limit: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
}

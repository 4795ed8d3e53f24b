/// The reason why the embedded PostgreSQL cannot run.
public enum EmbeddedPostgresError: Error, Sendable, Hashable {
    /// No PostgreSQL server is installed.
    case notInstalled
    /// A PostgreSQL version that is not installed wrote the data.
    case otherVersion(dataDirectory: String, data: Int, installed: Int)
    /// Another Waymark process uses the same data.
    case inUse(dataDirectory: String)
    /// The folder contains files that do not belong to a PostgreSQL cluster.
    case foreignDirectory(String)
    /// This process runs as root, and the server's user has no access to the folder.
    case unreachable(directory: String, user: String)
    /// This process runs as root, and the server's user does not exist.
    case noSuchUser(String)
    /// A folder or file cannot be created or used.
    case system(path: String, reason: String)
    /// A program failed. `output` is the end of its output.
    case failed(program: String, output: String)
    /// The server did not become ready, or did not stop, in time.
    case late(dataDirectory: String, output: String)
}

extension EmbeddedPostgresError: CustomStringConvertible {
    /// The error message: the problem and the remedy.
    public var description: String {
        switch self {
        case .notInstalled:
            "no PostgreSQL server under /usr/lib/postgresql: install one (apt-get install postgresql-15)"
        case .otherVersion(let directory, let data, let installed):
            """
            \(directory) was written by PostgreSQL \(data), but \(installed) is installed: install postgresql-\(data). \
            To change to \(installed), dump the data with pg_dump, move the folder away, start again and restore the dump
            """
        case .inUse(let directory): "another Waymark is running on \(directory)"
        case .foreignDirectory(let directory):
            "\(directory) contains files that are not a PostgreSQL cluster: choose an empty folder"
        case .unreachable(let directory, let user):
            "the user \(user), which PostgreSQL runs as, cannot reach \(directory): choose a folder under /var/lib"
        case .noSuchUser(let user): "PostgreSQL cannot run as root, and there is no user \(user)"
        case .system(let path, let reason): "\(path): \(reason)"
        case .failed(let program, let output): "\(program) failed: \(output)"
        case .late(let directory, let output):
            "PostgreSQL on \(directory) did not start or stop in time\(output.isEmpty ? "" : ": " + output)"
        }
    }
}

#if DEBUG
internal import Glibc
#endif

/// Named points at which a test can kill or stop the process. They have an effect only in debug builds.
///
/// - `WAYMARK_FAULT=publication.begun` ends the process at that point, like `kill -9`.
/// - `WAYMARK_FAULT=publication.begun:stop` stops it at that point until it is continued.
/// - `WAYMARK_FAULT=list` writes the name of each reached point to standard error.
package enum ProcessFault {
    /// - Parameter name: Two parts, the action and the step. Write it as a literal in each call, because a test
    ///   collects the names from the sources.
    package static func reach(_ name: String) {
        #if DEBUG
        guard let wanted = getenv("WAYMARK_FAULT").map({ String(cString: $0) }) else { return }
        if wanted == name { kill(getpid(), SIGKILL) }
        // Raise the signal on this thread. If another thread received it, this one could continue for a moment.
        if wanted == name + ":stop" { raise(SIGSTOP) }
        if wanted == "list" {
            let line = Array("fault point \(name)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
        }
        #endif
    }

    /// The fault points while files are written, such as `blob.renamed` and `link.temporaryCreated`.
    package static let whileWriting: FaultInjector = { (point, path) throws(FileSystemError) in
        #if DEBUG
        reach("\(kind(ofFileAt: path)).\(point)")
        #endif
    }

    #if DEBUG
    private static func kind(ofFileAt path: String) -> String {
        let parts = path.split(separator: "/").suffix(2)
        guard let folder = parts.first, let name = parts.last else { return "file" }
        if folder == "hosts" { return "link" }
        if name.hasPrefix("held-") { return "held" }
        return name == "manifest" || name == "state" ? String(name) : "blob"
    }
    #endif
}

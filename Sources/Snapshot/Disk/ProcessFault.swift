#if DEBUG
internal import Glibc
#endif

/// Named points at which a test can kill or stop the process. It exists only in a debug build.
///
/// - `WAYMARK_FAULT=publication.begun` ends the process at that point as `kill -9` would.
/// - `WAYMARK_FAULT=publication.begun:stop` stops it there until it is continued.
/// - `WAYMARK_FAULT=list` writes the name of each point that is reached to standard error.
package enum ProcessFault {
    /// - Parameter name: two parts, the action and its step. Write it as a literal in each call, because a test
    ///   collects the names from the sources.
    package static func reach(_ name: String) {
        #if DEBUG
        guard let wanted = getenv("WAYMARK_FAULT").map({ String(cString: $0) }) else { return }
        if wanted == name { kill(getpid(), SIGKILL) }
        // Raise it on this thread: another thread could receive a signal to the process, and this one would continue.
        if wanted == name + ":stop" { raise(SIGSTOP) }
        if wanted == "list" {
            let line = Array("fault point \(name)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
        }
        #endif
    }

    /// The same for the steps in the writing of files: `blob.renamed`, `link.temporaryCreated`.
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

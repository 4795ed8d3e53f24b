#if DEBUG
internal import Glibc
#endif

/// Named places where a test can end the process as `kill -9` would: `WAYMARK_FAULT=publication.begun` in a debug build;
/// or stop it there until it is continued: `WAYMARK_FAULT=publication.begun:stop`. `WAYMARK_FAULT=list` writes the name of
/// each place that is reached to standard error. In a release build it is nothing.
package enum ProcessFault {
    /// - Parameter name: in two parts, what is being done and how far it is. Written out where it is called, so that a
    ///   test can read all of them from the sources.
    package static func reach(_ name: String) {
        #if DEBUG
        guard let wanted = getenv("WAYMARK_FAULT").map({ String(cString: $0) }) else { return }
        if wanted == name { kill(getpid(), SIGKILL) }
        // To this thread: one to the process might be taken by another thread, while this one goes on for a while.
        if wanted == name + ":stop" { raise(SIGSTOP) }
        if wanted == "list" {
            let line = Array("fault point \(name)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
        }
        #endif
    }

    /// The same places in the writing of files: `blob.renamed`, `link.temporaryCreated`.
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

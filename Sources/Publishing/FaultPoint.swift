#if DEBUG
import Glibc
#endif

/// A named place where a test can end the process as `kill -9` would: `WAYMARK_FAULT=publication.begun` in a debug
/// build; or stop it there until it is continued: `WAYMARK_FAULT=publication.begun:stop`. In a release build it is
/// nothing.
enum FaultPoint {
    static func reach(_ name: String) {
        #if DEBUG
        guard let wanted = getenv("WAYMARK_FAULT").map({ String(cString: $0) }) else { return }
        if wanted == name { kill(getpid(), SIGKILL) }
        if wanted == name + ":stop" { kill(getpid(), SIGSTOP) }
        #endif
    }
}

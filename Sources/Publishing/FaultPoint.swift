#if DEBUG
import Glibc
#endif

/// A named place where a test can end the process as `kill -9` would: `WAYMARK_FAULT=publication.begun` in a debug
/// build. In a release build it is nothing.
enum FaultPoint {
    static func reach(_ name: String) {
        #if DEBUG
        if let wanted = getenv("WAYMARK_FAULT"), String(cString: wanted) == name { kill(getpid(), SIGKILL) }
        #endif
    }
}

import Glibc
import Synchronization

@testable import Snapshot

/// Fails once, at the n-th step of a write, as the system could.
final class OneFault: Sendable {
    private let left: Atomic<Int>

    init(at step: Int) { left = Atomic(step) }

    /// Whether the step was reached.
    var wasHit: Bool { left.load(ordering: .relaxed) < 0 }

    var injector: FaultInjector {
        { [self] (point, path) throws(FileSystemError) in
            if left.wrappingSubtract(1, ordering: .relaxed).oldValue == 0 {
                throw FileSystemError(operation: point.rawValue, path: path, code: ENOSPC)
            }
        }
    }
}

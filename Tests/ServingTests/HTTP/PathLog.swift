import NIOConcurrencyHelpers

@testable import Snapshot

/// Records every step of every write.
final class PathLog: Sendable {
    private let steps = NIOLockedValueBox<[(FaultPoint, String)]>([])

    var injector: FaultInjector {
        { [self] (point, path) throws(FileSystemError) in steps.withLockedValue { $0.append((point, path)) } }
    }

    func count(of suffix: String, at point: FaultPoint) -> Int {
        steps.withLockedValue { steps in steps.filter { $0.0 == point && $0.1.hasSuffix(suffix) }.count }
    }
}

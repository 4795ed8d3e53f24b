import ServiceLifecycle
import Serving

/// Runs an edge's follower. It starts when no other edge serves from the same folder, so that two edges never serve
/// different snapshots.
struct FollowingEdge: Service {
    private let follower: SnapshotFollower
    private let takeover: Takeover

    init(_ follower: SnapshotFollower, after takeover: Takeover) {
        self.follower = follower
        self.takeover = takeover
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { await takeover.untilOver() }
        try await follower.run()
    }
}

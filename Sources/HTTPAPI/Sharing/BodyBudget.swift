import Metrics
import Synchronization

/// How many bytes of bodies the process holds for requests that are being received, wait or are worked on: of all, and of
/// each owner. They count as they arrive, so that only who has sent them is held up by them.
final class BodyBudget: Sendable {
    /// Of all together.
    static let limit = 128 << 20
    /// Of an organization.
    static let limitOfOwner = 48 << 20
    /// Of all who have not signed in, together, and of those who are about to.
    static let limitOfVisitors = 16 << 20

    private struct State {
        var all = 0
        var owners: [Claimant.Owner: Int] = [:]
    }

    /// What one body takes; given back when nobody holds it any more.
    final class Room: Sendable {
        private let budget: BodyBudget
        private let owner: Claimant.Owner
        private let bytes = Mutex(0)

        fileprivate init(_ budget: BodyBudget, _ owner: Claimant.Owner) {
            self.budget = budget
            self.owner = owner
        }

        deinit {
            let taken = bytes.withLock { $0 }
            if taken > 0 { budget.giveBack(taken, of: owner) }
        }

        /// Takes bytes more. Throws `too_many_requests` where there is no room for them.
        func take(_ count: Int) throws {
            try budget.take(count, for: owner)
            bytes.withLock { $0 += count }
        }
    }

    private let state = Mutex(State())
    private let refusals = Counter(label: "waymark_http_requests_refused_total")

    /// Room for a body, none taken yet.
    func room(for owner: Claimant.Owner) -> Room { Room(self, owner) }

    private func take(_ bytes: Int, for owner: Claimant.Owner) throws {
        let limit = owner.areUnknown ? Self.limitOfVisitors : Self.limitOfOwner
        let isTaken = state.withLock { state in
            let own = state.owners[owner] ?? 0
            guard own + bytes <= limit, state.all + bytes <= Self.limit else { return false }
            state.all += bytes
            state.owners[owner] = own + bytes
            return true
        }
        guard isTaken else {
            refusals.increment()
            throw APIError.tooManyBytes
        }
    }

    private func giveBack(_ bytes: Int, of owner: Claimant.Owner) {
        state.withLock { state in
            state.all -= bytes
            let own = (state.owners[owner] ?? 0) - bytes
            state.owners[owner] = own > 0 ? own : nil
        }
    }
}

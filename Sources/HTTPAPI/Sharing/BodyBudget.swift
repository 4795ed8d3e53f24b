import Metrics
import Synchronization

/// Limits the memory for request bodies, in total and for each owner, in bytes. A body counts until its request ends.
/// Only received bytes count, so a client cannot block others by announcing a large body.
final class BodyBudget: Sendable {
    /// The limit for all bodies together.
    static let limit = 128 << 20
    /// The limit for an organization.
    static let limitOfOwner = 48 << 20
    /// The limit for all visitors together, and for all sign-ins together.
    static let limitOfVisitors = 16 << 20

    private struct State {
        var all = 0
        var owners: [Claimant.Owner: Int] = [:]
    }

    /// The part of the budget that one body uses. It is free again when the last reference is released.
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

        /// Adds received bytes to the room.
        /// - Throws: `too_many_requests` if the budget is exhausted.
        func take(_ count: Int) throws {
            try budget.take(count, for: owner)
            bytes.withLock { $0 += count }
        }
    }

    private let state = Mutex(State())
    private let refusals = Counter(label: "waymark_http_requests_refused_total")

    /// Creates the room for a body that has no bytes yet.
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

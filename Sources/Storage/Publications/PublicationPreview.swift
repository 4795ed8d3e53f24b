public import AASA
public import FoundationEssentials
import Postgres

/// The effects that a publication would have if it were created now, on itself and on the domain's pending items.
/// Computing a preview judges nothing and creates nothing.
public struct PublicationPreview: Sendable {
    /// A pending item of the domain.
    public struct Waiting: Hashable, Sendable {
        /// The kind of item.
        public enum Kind: String, CaseIterable, Sendable {
            /// A publication.
            case publication
            /// A release. It would be suspended as a whole.
            case release
        }

        /// The kind of item.
        public let kind: Kind
        /// The item's ID.
        public let id: UUID
        /// "version 3", or the message of a release.
        public let name: String
        /// The due time, or `nil` if it is due now.
        public let dueAt: Date?
    }

    /// The publication's due time, or `nil` for now.
    public internal(set) var dueAt: Date?
    /// The pending publication that it would follow, if nothing else changes.
    public internal(set) var follows: Waiting?
    /// The items that it would replace.
    public internal(set) var replaces: [Waiting] = []
    /// The items that would be suspended or cancelled, but would go live without the publication.
    public internal(set) var suspends: [Waiting] = []
    /// The releases and schedules that would change the live version before the publication is due. They would suspend
    /// it unless it overrides. A schedule publishes the drafts that have changed by then.
    public internal(set) var precededBy: [ReleasePredecessor] = []
    /// The reason why the publication would not go live if nothing else changes, or `nil` if it would.
    public internal(set) var blockedReason: String?
    /// The reason why the rollback would not take effect, or `nil` if it would.
    public internal(set) var revertBlockedReason: String?
    /// The freeze that would stop the publication, or `nil` if none would.
    public internal(set) var freeze: Freeze?

    /// Whether the publication needs an override to go live, and does not have one.
    public internal(set) var needsOverride = false
}

extension TenantTransaction {
    /// The effects of a publication of a domain if it were created now. Throws `notFound`, `isAlias`, or
    /// `beingWithdrawn`.
    ///
    /// - Parameters:
    ///   - due: The time to go live, or `nil` for now.
    ///   - revertAt: The time of the rollback.
    ///   - overrides: Whether it goes live regardless of the live version.
    public func preview(
        of host: Host, dueAt due: Date?, revertAt: Date?, overrides: Bool
    ) throws -> PublicationPreview {
        let domain = try domain(host)
        if let target = domain.aliasOf { throw StorageError.isAlias(of: target.description) }
        if let withdrawal = domain.withdrawal { throw StorageError.beingWithdrawn(at: withdrawal.dueAt) }
        let now = try clock()
        let pending = try pendingItems(of: [host])[host] ?? []
        let before = PendingOutlook(pending, live: domain.live?.activation)

        let replaced = pending.filter { item in
            item.kind == .publication
                && (due.map { item.dueAt == $0 } ?? ((item.dueAt ?? now) <= now)
                    || revertAt != nil && item.dueAt == revertAt)
        }
        let followed = due.flatMap { due in
            before.items.last { item in
                item.kind == .publication && item.dueAt.map { $0 < due } ?? true && before.fates[item.id] == .live
                    && !replaced.contains(item)
            }
        }
        var new = PendingOutlook.Item(
            kind: .publication, id: UUID(), name: "this publication", dueAt: due, madeAt: now, overrides: overrides)
        new.follows = followed?.id
        new.madeAgainst = domain.live?.activation
        let freeze = due == nil && revertAt == nil ? nil : try freezes(covering: [host])[host]
        new.isFrozen = due.map { due in freeze.map { due < $0.endsAt } ?? false } ?? false
        var revert = PendingOutlook.Item(
            kind: .publication, id: UUID(), name: "the rollback", dueAt: revertAt, madeAt: now, overrides: false)
        revert.follows = new.id
        revert.isRevert = true
        revert.isFrozen = revertAt.map { due in freeze.map { due < $0.endsAt } ?? false } ?? false
        let others = pending.map { item in
            var item = item
            item.isReplaced = replaced.contains(item)
            return item
        }
        let after = PendingOutlook(
            others + [new] + (revertAt == nil ? [] : [revert]), live: domain.live?.activation)

        var preview = PublicationPreview()
        preview.dueAt = due
        preview.follows = followed.map(PublicationPreview.Waiting.init)
        preview.replaces = replaced.map(PublicationPreview.Waiting.init)
        let stopped = before.items.filter { item in
            before.fates[item.id] == .live && after.fates[item.id] != .live && !replaced.contains(item)
        }
        // The rollback of a stopped publication is stopped too.
        let ids = Set(stopped.map(\.id))
        preview.suspends = stopped.filter { item in !item.isRevert || item.follows.map { !ids.contains($0) } ?? true }
            .map(PublicationPreview.Waiting.init)
        preview.blockedReason = after.blockedReason(of: new.id)
        preview.revertBlockedReason = revertAt == nil ? nil : after.blockedReason(of: revert.id)
        preview.freeze = new.isFrozen ? freeze : nil
        if let due {
            let doomed = Set(after.items.filter { after.fates[$0.id] != .live }.map(\.id))
            preview.precededBy = try predecessors(ofReleaseOf: .hosts([host]), dueAt: due).filter {
                [.release, .schedule].contains($0.kind) && !doomed.contains($0.id)
            }
        }
        preview.needsOverride = !overrides && (preview.blockedReason != nil || !preview.precededBy.isEmpty)
        return preview
    }
}

extension PublicationPreview.Waiting {
    fileprivate init(_ item: PendingOutlook.Item) {
        kind = item.kind == .release ? .release : .publication
        id = item.id
        name = item.name
        dueAt = item.dueAt
    }
}

public import FoundationEssentials
import Snapshot
public import Storage

extension Publisher {
    /// Creates a release of drafts, or one that rolls another release back. If `effectiveBy` is given, its due time
    /// follows from it. Times are checked by the database's clock. A worker judges it and makes it live. Throws
    /// ``InvalidTimes``, `UnusableChoice`, or `StorageError` (`notFound`, `releaseNotLive`, `tooManyReleases`).
    ///
    /// - Parameter other: the release to roll back. Its domains are the domains of the new one.
    public func release(
        _ new: NewRelease, takingBack other: ID<Release>? = nil, as organization: ID<Organization>, by author: Author
    ) async throws -> Release {
        try await store.write(as: organization, by: author) { tenant in
            var new = new
            new.dueAt = try PublicationTimes(at: new.dueAt, effectiveBy: new.effectiveBy, zone: new.zone)
                .checked(in: tenant).at
            let made = try other.map { try tenant.createRelease(takingBack: $0, new) } ?? tenant.createRelease(new)
            ProcessFault.reach("release.making")
            return made
        }
    }

    /// When a release would be due, and what would precede it; nothing if it would be due now. Nothing is created or
    /// judged. Throws ``InvalidTimes``, `UnusableChoice`.
    public func preview(
        of new: NewRelease, as organization: ID<Organization>
    ) async throws -> (dueAt: Date?, predecessors: [ReleasePredecessor]) {
        try await store.read(as: organization) { tenant in
            let due = try PublicationTimes(at: new.dueAt, effectiveBy: new.effectiveBy, zone: new.zone)
                .checked(in: tenant).at
            return (due, try due.map { try tenant.predecessors(ofReleaseOf: new.choice, dueAt: $0) } ?? [])
        }
    }
}

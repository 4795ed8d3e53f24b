public import FoundationEssentials
import Snapshot
public import Storage

extension Publisher {
    /// Creates a release of drafts, or a release that rolls another one back. If `effectiveBy` is given, the due time
    /// is computed from it. Times are checked with the database's clock. A worker later judges the release and makes it
    /// live. Throws ``InvalidTimes``, `UnusableChoice`, or `StorageError` (`notFound`, `releaseNotLive`,
    /// `tooManyReleases`).
    ///
    /// - Parameter other: The release to roll back. The new release has the same domains.
    public func release(
        _ new: NewRelease, rollingBack other: ID<Release>? = nil, as organization: ID<Organization>, by author: Author
    ) async throws -> Release {
        try await store.write(as: organization, by: author) { tenant in
            var new = new
            new.dueAt = try PublicationTimes(at: new.dueAt, effectiveBy: new.effectiveBy, zone: new.zone)
                .checked(in: tenant).at
            let made = try other.map { try tenant.createRelease(rollingBack: $0, new) } ?? tenant.createRelease(new)
            ProcessFault.reach("release.making")
            return made
        }
    }

    /// Returns the due time of a release, and the items that would take effect before it. Returns `nil` and no items if
    /// the release would be due now. Creates and judges nothing. Throws ``InvalidTimes``, `UnusableChoice`.
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

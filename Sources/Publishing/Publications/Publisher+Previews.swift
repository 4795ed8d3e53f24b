public import AASA
public import Storage

extension Publisher {
    /// Shows how a publication would affect the pending items of its domain, and how they would affect it. Judges and
    /// creates nothing. Throws ``InvalidTimes``, or `StorageError` (`notFound`, `isAlias`, `beingWithdrawn`).
    public func preview(
        of host: Host, _ times: PublicationTimes, overrides: Bool, as organization: ID<Organization>
    ) async throws -> PublicationPreview {
        try await store.read(as: organization) { tenant in
            let times = try times.checked(in: tenant)
            return try tenant.preview(of: host, dueAt: times.at, revertAt: times.revertAt, overrides: overrides)
        }
    }
}

public import AASA
public import Storage

extension Publisher {
    /// What a publication of a domain would do to what waits there, and what that would do to it. Nothing is judged and
    /// nothing made. Throws ``InvalidTimes``, or `StorageError` (`notFound`, `isAlias`, `beingWithdrawn`).
    public func preview(
        of host: Host, _ times: PublicationTimes, overrides: Bool, as organization: ID<Organization>
    ) async throws -> PublicationPreview {
        try await store.read(as: organization) { tenant in
            let times = try times.checked(in: tenant)
            return try tenant.preview(of: host, dueAt: times.at, revertAt: times.revertAt, overrides: overrides)
        }
    }
}

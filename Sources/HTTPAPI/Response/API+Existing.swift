import Storage

extension API {
    /// Makes or changes something. Where its key is taken, the problem has the address of what exists (`existing`), so that
    /// a client can read that and go on.
    ///
    /// - Parameter existing: finds the address, in a transaction of its own; `nil` where it has gone meanwhile.
    func unlessTaken<Value: Sendable>(
        _ member: Member, _ make: () async throws -> Value,
        existing: @escaping @Sendable (TenantTransaction) throws -> String?
    ) async throws -> Value {
        do {
            return try await make()
        } catch let error as StorageError {
            guard case .exists = error, let problem = APIError(error),
                let address = try await store.read(as: member.organization.id, existing)
            else { throw error }
            throw problem.naming(existing: address)
        }
    }
}

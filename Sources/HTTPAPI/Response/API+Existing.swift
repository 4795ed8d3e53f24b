import Storage

extension API {
    /// Creates or changes an item. If the item's key is already in use, the error contains the address of the existing
    /// item (`existing`), so that a client can read that item and continue.
    ///
    /// - Parameter existing: Finds the address, in its own transaction. Returns `nil` if the item was deleted
    ///   meanwhile.
    func unlessTaken<Value: Sendable>(
        _ member: Member, _ make: () async throws -> Value,
        existing: @escaping @Sendable (TenantTransaction) throws -> String?
    ) async throws -> Value {
        do {
            return try await make()
        } catch let error as StorageError {
            guard case .exists = error, let problem = APIError(error),
                let address = try await read(as: member, existing)
            else { throw error }
            throw problem.naming(existing: address)
        }
    }
}

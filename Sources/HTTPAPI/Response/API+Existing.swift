import Storage

extension API {
    /// Creates or changes an item. If its key is already in use, the problem contains the address of the existing item
    /// (`existing`), so that a client can read it and continue.
    ///
    /// - Parameter existing: Finds the address in its own transaction, or returns `nil` if the item was deleted in the
    ///   meantime.
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

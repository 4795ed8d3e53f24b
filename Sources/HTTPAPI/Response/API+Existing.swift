import Storage

extension API {
    /// Creates or changes something. If its key is taken, the problem has the address of the existing thing (`existing`),
    /// so that a client can read it and continue.
    ///
    /// - Parameter existing: finds the address, in its own transaction; `nil` if it was deleted in the meantime.
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

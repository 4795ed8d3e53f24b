import Storage

/// Transactions for handlers. They access the member's organization, and the audit trail names the member.
extension API {
    /// Reads rows of the member's organization.
    func read<Value: Sendable>(
        as member: Member, _ body: @escaping @Sendable (TenantTransaction) throws -> Value
    ) async throws -> Value {
        try await store.read(as: member.organization.id, body)
    }

    /// Reads one item of the member's organization in a single statement.
    func read<Value>(as member: Member, _ lookup: Lookup<Value>) async throws -> Value {
        try await store.read(as: member.organization.id, lookup)
    }

    /// Changes rows of the member's organization in one transaction. The audit trail records the member.
    ///
    /// - Parameter deadline: The time limit, or `nil` for the default.
    func write<Value: Sendable>(
        as member: Member, deadline: Duration? = nil, _ body: @escaping @Sendable (TenantTransaction) throws -> Value
    ) async throws -> Value {
        try await store.write(as: member.organization.id, by: member.author, deadline: deadline, body)
    }
}

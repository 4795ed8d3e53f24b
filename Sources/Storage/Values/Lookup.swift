import Postgres

/// What a single statement reads of an organization, by a key. ``Store/read(as:_:)`` runs it in the quick way, together
/// with what others read at that moment; within a longer access a ``TenantTransaction`` runs it as one of its steps.
public struct Lookup<Value: Sendable>: Sendable {
    let statement: @Sendable (ID<Organization>) -> SQL
    let decode: @Sendable ([Row]) throws -> Value
}

extension Store {
    /// Reads one thing of an organization.
    public func read<Value>(as organization: ID<Organization>, _ lookup: Lookup<Value>) async throws -> Value {
        try lookup.decode(try await pool.read(as: organization.uuid, lookup.statement(organization)))
    }
}

extension TenantTransaction {
    func read<Value>(_ lookup: Lookup<Value>) throws -> Value {
        try lookup.decode(try database.query(lookup.statement(organization)))
    }
}

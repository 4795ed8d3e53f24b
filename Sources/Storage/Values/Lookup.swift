import Postgres

/// A read of an organization's data by key, in a single statement. ``Store/read(as:_:)`` sends it together with the
/// reads of other callers. Inside a transaction, ``TenantTransaction`` runs it as one of its steps.
public struct Lookup<Value: Sendable>: Sendable {
    let statement: @Sendable (ID<Organization>) -> SQL
    let decode: @Sendable ([Row]) throws -> Value
}

extension Store {
    /// Runs a look-up.
    public func read<Value>(as organization: ID<Organization>, _ lookup: Lookup<Value>) async throws -> Value {
        try lookup.decode(try await pool.read(as: organization.uuid, lookup.statement(organization)))
    }
}

extension TenantTransaction {
    func read<Value>(_ lookup: Lookup<Value>) throws -> Value {
        try lookup.decode(try database.query(lookup.statement(organization)))
    }
}

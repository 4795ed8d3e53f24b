import Postgres
import StrictJSON

extension Tenant {
    /// Leaves an entry in the audit trail, in the transaction of the change that it tells of.
    ///
    /// - Parameters:
    ///   - action: what was done, as `thing.verb`: "draft.changed".
    ///   - subject: the natural key of the thing.
    ///   - detail: what a reader of the trail wants to know besides; never a secret.
    func audit(_ action: String, _ subject: String, _ detail: JSONValue = [:]) throws {
        try database.execute(
            """
            insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
            values (
              \(organization.uuid), \(author.kind.rawValue), \(author.name), \(action), \(subject),
              \(detail.text)::json)
            """)
    }
}

extension Database {
    /// The row of a statement that always returns one.
    func only(_ statement: SQL) throws -> Row {
        guard let row = try first(statement) else { throw CorruptRow(column: "(a row that was to be returned)") }
        return row
    }
}

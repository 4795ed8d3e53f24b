import FoundationEssentials
import Postgres
import RunningWaymark
import Storage

/// The first read of the events after many changes.
enum Events {
    private static let changes = 30_000

    static func measure(
        _ organization: FilledOrganization, _ pool: PostgresPool, _ client: Client
    ) async throws {
        guard let connection = Connection(port: client.port) else { throw Client.Failure.notAnswered }
        let id = organization.id.uuid
        // As a replacement writes them: some hundred changes in a transaction.
        for start in stride(from: 0, to: changes, by: 250) {
            try await pool.write(as: id) { database in
                try database.execute(
                    """
                    insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
                    select \(id), 'user', 'u', 'draft.changed', number, '{}'
                    from generate_series(\(start)::bigint, \(start + 249)::bigint) as number
                    """)
            }
        }
        let start = ContinuousClock.now
        try Client.ask(connection, "GET", "/v1/events?sort=newest", organization.token)
        let first = ContinuousClock.now - start
        print("first read of the events after \(changes) changes: \(milliseconds(first / .milliseconds(1))) ms")
    }
}

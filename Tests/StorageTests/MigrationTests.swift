import Postgres
import Storage
import TestSupport
import Testing

/// Migrations of a database that has data. Row level security hides all rows from the owner, so a migration that forgets
/// this changes nothing, without an error.
@Suite("Migrations of data")
struct MigrationTests {
    @Test("an edited draft gets an unknown editor, and an untouched one none")
    func drafts() async throws {
        let organization = ID<Organization>()
        try await withDatabase(migrations: nil) { database in
            let all = try Migration.load(fromDirectory: TestCluster.repositoryMigrations)
            let before = try Migrator(migrations: all.filter { $0.number <= 33 }, logger: TestCluster.silent)
            _ = try await before.migrate(database.owner)
            try await database.runtime.write(as: organization.uuid) { db in
                try db.execute(
                    "insert into organizations (id, slug, name) values (\(organization.uuid), 'acme', 'Acme')")
                for (host, revision) in [("edited.example.com", 2), ("untouched.example.com", 1)] {
                    try db.execute("insert into domains (organization_id, host) values (\(organization.uuid), \(host))")
                    try db.execute(
                        """
                        insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
                        values (\(organization.uuid), \(host), \(revision), '{}', sha256(''), 2)
                        """)
                }
            }
            _ = try await Migrator(migrations: all, logger: TestCluster.silent).migrate(database.owner)
            let editors = try await database.runtime.read(as: organization.uuid) { db in
                try db.query("select host || ' ' || editor_name || ' ' || revision as line from draft_editors").map {
                    try $0.decode("line", as: String.self)
                }
            }
            #expect(editors == ["edited.example.com unknown 2"])
        }
    }

    @Test("the editors of a saved version are unknown")
    func versions() async throws {
        let organization = ID<Organization>()
        try await withDatabase(migrations: nil) { database in
            let all = try Migration.load(fromDirectory: TestCluster.repositoryMigrations)
            let before = try Migrator(migrations: all.filter { $0.number <= 46 }, logger: TestCluster.silent)
            _ = try await before.migrate(database.owner)
            try await database.runtime.write(as: organization.uuid) { db in
                for statement: SQL in [
                    "insert into organizations (id, slug, name) values (\(organization.uuid), 'acme', 'Acme')",
                    "insert into domains (host) values ('www.example.com')",
                    "insert into blobs (sha256, bytes) values (sha256(''), '')",
                    """
                    insert into versions (
                      host, number, sha256, size, draft_revision, message, author_kind, author_name, report)
                    values ('www.example.com', 1, sha256(''), 0, 2, '', 'user', 'u', '{}')
                    """,
                ] { try db.execute(statement) }
            }
            _ = try await Migrator(migrations: all, logger: TestCluster.silent).migrate(database.owner)
            let editors = try await database.runtime.read(as: organization.uuid) { db in
                try db.query("select editors from versions").map { try $0.decode("editors", as: [String].self) }
            }
            #expect(editors == [["system unknown"]])
        }
    }
}

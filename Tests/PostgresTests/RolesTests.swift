import Foundation
import Postgres
import TestSupport
import Testing

@Suite("The three roles") struct RolesTests {
    private func refused(_ pool: PostgresPool, _ statement: SQL) async -> String? {
        await #expect(throws: PostgresError.self) { try await pool.write { db in try db.execute(statement) } }?.sqlState
    }

    @Test("preparing the roles again changes nothing")
    func idempotent() async throws {
        try await withDatabase(migrations: nil) { database in
            var preparation = DatabasePreparation()
            preparation.database = database.name
            let superuser = try await TestCluster.shared.superuser()
            try await preparation.prepare(superuser, logger: TestCluster.silent)
            try await preparation.prepare(superuser, logger: TestCluster.silent)
            let check = try await RuntimeRoleCheck(database.runtime)
            #expect(check.faults == [])
            #expect(check.isPassed)
            #expect(check.role == TestCluster.runtime)
        }
    }

    @Test("the runtime role can write rows, but not change the schema")
    func runtime() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in
                try db.execute("create table things (number bigint generated always as identity, note text)")
            }
            try await database.runtime.write { db in
                try db.execute("insert into things (note) values ('x')")
                try db.execute("update things set note = 'y'")
                try db.execute("delete from things")
            }
            let denied: [SQL] = [
                "create table mine ()", "create temporary table mine ()", "create schema mine", "drop table things",
                "alter table things add column x text", "truncate things", "create role mine",
                "alter table things disable row level security", "set local role waymark_owner",
                "create function f() returns int language sql as 'select 1'",
            ]
            for statement in denied {
                let state = await refused(database.runtime, statement)
                #expect(state == "42501", "\(statement)")
            }
        }
    }

    @Test("row level security holds for the runtime role and the owner, and only the backup role bypasses it")
    func rowLevelSecurity() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in
                try db.execute("create table things (organization_id uuid not null, note text)")
                try db.execute("alter table things enable row level security")
                try db.execute("alter table things force row level security")
                try db.execute(
                    """
                    create policy organization_only on things
                    using (organization_id = nullif(current_setting('waymark.organization', true), '')::uuid)
                    """)
            }
            let (mine, other) = (UUID(), UUID())
            for organization in [mine, other] {
                try await database.runtime.write(as: organization) { db in
                    try db.execute("insert into things values (\(organization), 'x')")
                }
            }
            let foreign = await #expect(throws: PostgresError.self) {
                try await database.runtime.write(as: mine) { db in
                    try db.execute("insert into things values (\(other), 'x')")
                }
            }
            #expect(foreign?.sqlState == "42501")
            func count(_ pool: PostgresPool, as organization: UUID?) async throws -> Int? {
                try await pool.read(as: organization) { db in
                    try db.first("select count(*) from things")?.decode(0, as: Int.self)
                }
            }
            let backup = PostgresPool(database.configuration(role: TestCluster.backup), logger: TestCluster.silent)
            let counts = [
                try await count(database.runtime, as: mine), try await count(database.runtime, as: other),
                try await count(database.runtime, as: UUID()), try await count(database.runtime, as: nil),
                try await count(database.owner, as: nil), try await count(backup, as: nil),
            ]
            #expect(counts == [1, 1, 0, 0, 0, 2])
            let state = await refused(backup, "delete from things")
            #expect(state == "42501")
            await backup.close()
        }
    }

    @Test("a role with more rights than the service needs is detected")
    func faults() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in try db.execute("create table things ()") }
            let owner = try await RuntimeRoleCheck(database.owner)
            #expect(owner.faults.contains { $0.hasPrefix("owns 1 relation(s), such as things") })
            #expect(owner.faults.contains("may create in the schema public"))
            let backup = PostgresPool(database.configuration(role: TestCluster.backup), logger: TestCluster.silent)
            let backupFaults = try await RuntimeRoleCheck(backup).faults
            #expect(backupFaults.contains("bypasses row level security"))
            await backup.close()
            let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
            let superuserFaults = try await RuntimeRoleCheck(superuser).faults
            #expect(superuserFaults.contains("is a superuser"))
            await superuser.close()
        }
    }

    @Test("a role that can take another role's rights, or truncate, is detected")
    func indirect() async throws {
        try await withDatabase(migrations: nil) { database in
            // This test has its own role, because roles belong to the whole cluster.
            let name = "indirect_" + database.name
            let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
            try await database.owner.write { db in try db.execute("create table things ()") }
            try await superuser.write { db in
                try db.execute("create role \(identifier: name) login in role waymark_backup")
                try db.execute("grant connect, create on database \(identifier: database.name) to \(identifier: name)")
                try db.execute("grant usage on schema public to \(identifier: name)")
                try db.execute("grant truncate on things to \(identifier: name)")
            }
            let pool = PostgresPool(database.configuration(role: name), logger: TestCluster.silent)
            let faults = try await RuntimeRoleCheck(pool).faults
            #expect(faults.contains("bypasses row level security through waymark_backup"))
            #expect(faults.contains("may create schemas in this database"))
            #expect(faults.contains("may truncate 1 table(s), such as things"))
            await pool.close()
            try await superuser.write { db in
                try db.execute("drop owned by \(identifier: name)")
                try db.execute("drop role \(identifier: name)")
            }
            await superuser.close()
        }
    }

    @Test("passwords are sent as SCRAM verifiers")
    func passwords() async throws {
        try await withDatabase(migrations: nil) { database in
            var preparation = DatabasePreparation()
            preparation.database = database.name
            preparation.owner = .init("o_" + database.name)
            preparation.runtime = .init("r_" + database.name, password: "it's a s3cret")
            preparation.backup = .init("b_" + database.name)
            try await preparation.prepare(try await TestCluster.shared.superuser(), logger: TestCluster.silent)
            let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
            let name = preparation.runtime.name
            let stored = try await superuser.read { db in
                try db.first("select rolpassword from pg_authid where rolname = \(name)")?.decode(0, as: String.self)
            }
            #expect(stored?.hasPrefix("SCRAM-SHA-256$4096:") == true)
            await superuser.close()
        }
    }

    @Test("the three roles must have different names")
    func three() async throws {
        var preparation = DatabasePreparation()
        preparation.backup = preparation.runtime
        let superuser = try await TestCluster.shared.superuser()
        let error = await #expect(throws: PostgresError.self) {
            try await preparation.prepare(superuser, logger: TestCluster.silent)
        }
        #expect(error?.kind == .configuration)
    }
}

import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("An access", .timeLimit(.minutes(3))) struct AccessTests {
    private struct Refusal: Error {}

    private func withTable(_ body: (TestDatabase) async throws -> Void) async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in
                try db.execute("create table things (number bigint constraint things_pkey primary key)")
            }
            try await body(database)
        }
    }

    private static func current(_ db: Database) throws -> String? {
        try db.first("select current_setting('waymark.organization', true)")?.decode(0)
    }

    private func count(_ pool: PostgresPool) async throws -> Int? {
        try await pool.read { db in try db.first("select count(*) from things")?.decode(0) }
    }

    @Test("a read cannot write")
    func readOnly() async throws {
        try await withTable { database in
            for statement in ["insert into things values (1)", "create temporary table x ()", "delete from things"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await database.owner.read { db in
                        try db.execute(SQL(text: statement))
                    }
                }
                #expect(error?.sqlState == "25006")
            }
            let left1 = try await count(database.owner)
            #expect(left1 == 0)
        }
    }

    @Test("a read cannot make itself writable")
    func staysReadOnly() async throws {
        try await withTable { database in
            for statement in [
                "select set_config('transaction_read_only', 'off', true)", "set transaction read write",
                "with a as (select set_config('transaction_read_only', 'off', true)) select * from a",
            ] {
                await #expect(throws: PostgresError.self) {
                    try await database.runtime.read { db in try db.execute(SQL(text: statement)) }
                }
            }
        }
    }

    @Test("a read has its settings and its statement in one transaction")
    func oneTransaction() async throws {
        try await withTable { database in
            // Both settings end with their transaction, so a statement of another transaction could not see them.
            let row = try await database.runtime.read(as: UUID()) { db in
                try db.first(
                    "select current_setting('transaction_read_only'), current_setting('waymark.organization') <> ''")
            }
            #expect(try row?.decode(0, as: String.self) == "on")
            #expect(try row?.decode(1, as: Bool.self) == true)
        }
    }

    @Test("after an access, the connection has no setting of its organization")
    func noLeak() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 1 }) { database in
            let pool = database.runtime
            let organization = UUID()
            let expected = organization.uuidString.lowercased()
            /// The setting between accesses. Nothing sets it there.
            func between() async throws -> String? {
                try await pool.outsideTransaction(deadline: .seconds(20)) { db in try Self.current(db) }
            }
            let read = try await pool.read(as: organization) { db in try Self.current(db) }
            let afterRead = try await between()
            let written = try await pool.write(as: organization) { db in try Self.current(db) }
            let afterWrite = try await between()
            #expect([read, written] == [expected, expected])
            #expect([afterRead, afterWrite] == ["", ""])
            await #expect(throws: Refusal.self) {
                try await pool.write(as: organization) { db in
                    _ = try Self.current(db)
                    throw Refusal()
                }
            }
            let afterRollback = try await between()
            let without = try await pool.read { db in try Self.current(db) }
            let writtenWithout = try await pool.write { db in try Self.current(db) }
            #expect([afterRollback, without, writtenWithout] == ["", "", ""])
        }
    }

    @Test("a write commits when its body returns")
    func commits() async throws {
        try await withTable { database in
            let changed = try await database.runtime.write { db in
                try db.execute("insert into things select generate_series(1, \(3))")
            }
            #expect(changed == 3)
            let left6 = try await count(database.owner)
            #expect(left6 == 3)
        }
    }

    @Test("a write rolls back when its body throws, and the connection stays usable")
    func rollsBack() async throws {
        try await withTable { database in
            await #expect(throws: Refusal.self) {
                try await database.runtime.write { db in
                    try db.execute("insert into things values (1)")
                    throw Refusal()
                }
            }
            let left7 = try await count(database.runtime)
            #expect(left7 == 0)
            #expect(database.runtime.core.load.open == 1)
        }
    }

    @Test("a write rolls back when a statement was refused, even if the body caught the error")
    func swallowed() async throws {
        try await withTable { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.write { db in
                    try db.execute("insert into things values (1)")
                    _ = try? db.execute("insert into things values (1)")
                }
            }
            #expect(error?.constraint == "things_pkey")
            #expect(error?.sqlState == "23505")
            #expect(error?.server?.table == "things")
            #expect(error?.isUnavailable == false)
            #expect(error?.description == "database refused: SQLSTATE 23505, constraint things_pkey, table things")
            let left8 = try await count(database.runtime)
            #expect(left8 == 0)
        }
    }

    @Test("an access without statements succeeds")
    func empty() async throws {
        try await withTable { database in
            let left9 = try await database.runtime.write { _ in 7 }
            #expect(left9 == 7)
        }
    }

    @Test("an access must not begin or end a transaction; if it does, its connection is closed")
    func ownTransaction() async throws {
        try await withTable { database in
            for statement in ["commit", "rollback"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await database.runtime.write { db in try db.execute(SQL(text: statement)) }
                }
                #expect(error?.kind == .misuse)
            }
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.read { db in try db.execute("begin") }
            }
            #expect(error?.kind == .misuse)
            let left = try await count(database.runtime)
            #expect(left == 0)
        }
    }

    @Test("COPY is refused")
    func copy() async throws {
        try await withTable { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.write { db in try db.execute("copy things from stdin") }
            }
            #expect(error?.kind == .misuse)
            let left = try await count(database.runtime)
            #expect(left == 0)
        }
    }

    @Test("a deferred constraint that is violated at commit is reported as a refusal")
    func deferred() async throws {
        try await withTable { database in
            try await database.owner.write { db in
                try db.execute(
                    """
                    create table parts (
                        thing bigint constraint part_has_thing references things deferrable initially deferred)
                    """)
            }
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.write { db in try db.execute("insert into parts values (9)") }
            }
            #expect(error?.constraint == "part_has_thing")
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("The migrator", .timeLimit(.minutes(3))) struct MigratorTests {
    private static let things = Migration(number: 1, name: "things", sql: "create table things (number bigint);")
    private static let more = Migration(
        number: 2, name: "more", sql: "create table more (number bigint); insert into more values (1); -- two in one")

    private func migrator(_ migrations: Migration...) throws -> Migrator {
        try Migrator(migrations: migrations, logger: TestCluster.silent)
    }

    private func refusal(_ body: () async throws -> Void) async -> MigrationError? {
        await #expect(throws: MigrationError.self) { try await body() }
    }

    @Test("missing migrations are applied in order, once")
    func applies() async throws {
        try await withDatabase(migrations: nil) { database in
            let first = try await migrator(Self.things).migrate(database.owner)
            let second = try await migrator(Self.more, Self.things).migrate(database.owner)
            let third = try await migrator(Self.things, Self.more).migrate(database.owner)
            #expect(first == [Self.things])
            #expect(second == [Self.more])
            #expect(third == [])
            let ledger = try await database.runtime.read { db in
                try db.query("select number, name, sha256, applied_at from schema_migrations order by number").map {
                    try $0.decode(Int.self, String.self, String.self, Date.self)
                }
            }
            #expect(ledger.map(\.0) == [1, 2])
            #expect(ledger.map(\.1) == ["things", "more"])
            #expect(ledger.map(\.2) == [Self.things.sha256, Self.more.sha256])
        }
    }

    @Test("a gap, a duplicate and a wrong first number are refused")
    func numbers() {
        let third = Migration(number: 3, name: "third", sql: "")
        let twin = Migration(number: 1, name: "twin", sql: "")
        let zero = Migration(number: 0, name: "zero", sql: "")
        #expect(throws: MigrationError.gap(missing: 2)) { try migrator(Self.things, third) }
        #expect(throws: MigrationError.duplicate(number: 1)) { try migrator(Self.things, twin, Self.more) }
        #expect(throws: MigrationError.gap(missing: 1)) { try migrator(Self.more) }
        #expect(throws: MigrationError.self) { try migrator(zero) }
    }

    @Test("a database newer than the code is refused, by the migrator and by the service's check")
    func newer() async throws {
        try await withDatabase(migrations: nil) { database in
            _ = try await migrator(Self.things, Self.more).migrate(database.owner)
            let older = try migrator(Self.things)
            let expected = MigrationError.databaseIsNewer(applied: 2, known: 1)
            let onMigrate = await refusal { try await older.migrate(database.owner) }
            let onCheck = await refusal { try await older.check(database.runtime) }
            #expect(onMigrate == expected)
            #expect(onCheck == expected)
        }
    }

    @Test("an edited file is refused")
    func edited() async throws {
        try await withDatabase(migrations: nil) { database in
            _ = try await migrator(Self.things).migrate(database.owner)
            let edited = try migrator(Migration(number: 1, name: "things", sql: Self.things.sql + " "), Self.more)
            let onMigrate = await refusal { try await edited.migrate(database.owner) }
            let onCheck = await refusal { try await edited.check(database.runtime) }
            #expect(onMigrate == .edited(migration: "0001_things"))
            #expect(onCheck == .edited(migration: "0001_things"))
        }
    }

    @Test("the check reports a database that is older than the code, or empty")
    func older() async throws {
        try await withDatabase(migrations: nil) { database in
            let both = try migrator(Self.things, Self.more)
            let empty = await refusal { try await both.check(database.runtime) }
            #expect(empty == .databaseIsOlder(applied: 0, known: 2))
            _ = try await migrator(Self.things).migrate(database.owner)
            let half = await refusal { try await both.check(database.runtime) }
            #expect(half == .databaseIsOlder(applied: 1, known: 2))
            _ = try await both.migrate(database.owner)
            try await both.check(database.runtime)
        }
    }

    @Test("a failing file leaves nothing behind, and the files before it stay applied")
    func fails() async throws {
        try await withDatabase(migrations: nil) { database in
            let bad = Migration(number: 2, name: "bad", sql: "create table half (); select nonsense;")
            let refusal = await refusal { try await migrator(Self.things, bad).migrate(database.owner) }
            guard case .failed("0002_bad", let error) = refusal else {
                Issue.record("another error: \(String(describing: refusal))")
                return
            }
            #expect(error.sqlState == "42703")
            _ = try await migrator(Self.things, Self.more).migrate(database.owner)
            let half = try await database.owner.read { db in
                try db.first("select to_regclass('half')::text")?.decode(0, as: String?.self) ?? nil
            }
            #expect(half == nil)
        }
    }

    @Test("a file that ends its transaction is refused", arguments: ["commit;", "rollback;", "commit; begin;"])
    func transactionControl(text: String) async throws {
        try await withDatabase(migrations: nil) { database in
            let bad = Migration(number: 1, name: "bad", sql: "create table half (); " + text)
            let refusal = await refusal { try await migrator(bad).migrate(database.owner) }
            #expect(refusal == .controlsTransaction(migration: "0001_bad"))
        }
    }

    @Test("several migrators at the same time apply each file once")
    func concurrent() async throws {
        try await withDatabase(migrations: nil) { database in
            let migrator = try Migrator(
                migrations: (1...10).map {
                    Migration(number: $0, name: "t", sql: "create table t\($0) (); select pg_sleep(0.01);")
                }, logger: TestCluster.silent)
            let applied = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await migrator.migrate(database.owner).count } }
                return try await group.reduce(0, +)
            }
            #expect(applied == 10)
        }
    }

    @Test("the runtime role can only read the ledger")
    func ledgerRights() async throws {
        try await withDatabase(migrations: nil) { database in
            _ = try await migrator(Self.things).migrate(database.owner)
            for statement: SQL in ["delete from schema_migrations", "update schema_migrations set name = ''"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await database.runtime.write { db in try db.execute(statement) }
                }
                #expect(error?.sqlState == "42501")
            }
        }
    }

    @Test("a folder is read, and badly named or unreadable files are refused")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: folder.appending(path: name)) }
        try write("0002_more.sql", Array("select 2".utf8))
        try write("0001_things.sql", Array("select 1".utf8))
        try write("README.md", [])
        let loaded = try Migration.load(fromDirectory: path)
        #expect(loaded.map(\.label) == ["0001_things", "0002_more"])
        #expect(loaded.map(\.sql) == ["select 1", "select 2"])
        for name in ["3_x.sql", "0003x.sql", "0003_X.sql", "0003_.sql", "00003_x.sql"] {
            try write(name, [])
            #expect(throws: MigrationError.misnamed(file: name)) { try Migration.load(fromDirectory: path) }
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        try write("0003_x.sql", [0xFF])
        #expect(throws: MigrationError.self) { try Migration.load(fromDirectory: path) }
        #expect(throws: MigrationError.unreadable(path: "/tmp/no-such-folder")) {
            try Migration.load(fromDirectory: "/tmp/no-such-folder")
        }
    }
}

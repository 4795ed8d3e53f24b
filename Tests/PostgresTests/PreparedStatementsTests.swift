import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("Prepared statements", .timeLimit(.minutes(3))) struct PreparedStatementsTests {
    private func key(_ text: String, _ types: [PostgresType] = []) -> PreparedStatements.Key {
        PreparedStatements.Key(text: text, types: types)
    }

    @Test("beyond the limit, the least recently used statement is dropped")
    func leastRecentlyUsed() {
        var statements = PreparedStatements(limit: 2)
        statements.remember(key("a"), as: "1")
        statements.remember(key("b"), as: "2")
        _ = statements.name(for: key("a"))
        statements.remember(key("c"), as: "3")
        #expect(statements.name(for: key("b")) == nil)
        #expect(statements.name(for: key("a")) == "1")
        #expect(statements.discarded == ["2"])
        statements.dropped("2")
        #expect(statements.discarded.isEmpty)
    }

    @Test("the name of a prepared statement depends on its text and its types")
    func names() {
        let name = PreparedStatements.newName(for: key("select $1", [.text]))
        #expect(name == PreparedStatements.newName(for: key("select $1", [.text])))
        #expect(name != PreparedStatements.newName(for: key("select $1", [.uuid])))
        #expect(name != PreparedStatements.newName(for: key("select  $1", [.text])))
        #expect(name.utf8.count < 64)
    }

    private func prepared(_ database: TestDatabase) async throws -> Int? {
        try await database.runtime.outsideTransaction(deadline: .seconds(20)) { db in
            try db.first("select count(*) from pg_prepared_statements")?.decode(0, as: Int.self)
        }
    }

    @Test("statements are prepared once, and the server keeps no more than the limit")
    func limit() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.maximumPreparedStatements = 10
            }
        ) { database in
            for number in 0..<50 {
                let answer = try await database.runtime.read { db in
                    try db.first(SQL(text: "select \(number)"))?.decode(0, as: Int.self)
                }
                #expect(answer == number)
            }
            let count = try await prepared(database)
            // One more statement is dropped with the next statement, in the same round trip.
            #expect((10...11).contains(count ?? 0))
        }
    }

    @Test("a statement that failed to prepare is tried again, and succeeds once it is valid")
    func failed() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 1 }) { database in
            for _ in 0..<2 {
                let error = await #expect(throws: PostgresError.self) {
                    try await database.runtime.read { db in try db.query("select number from things") }
                }
                #expect(error?.sqlState == "42P01")
                #expect(error?.description.contains("select number from things") == true)
            }
            try await database.owner.write { db in try db.execute("create table things (number bigint)") }
            let count = try await database.runtime.read { db in try db.query("select number from things").count }
            #expect(count == 0)
        }
    }

    @Test("a statement is prepared again after its columns change their type, alone and within a transaction")
    func schemaChange() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 1 }) { database in
            try await database.owner.write { db in
                try db.execute("create table things (number integer, note text)")
                try db.execute("insert into things values (1, 'x')")
            }
            let types = ["bigint", "text", "bigint using number::bigint", "text"]
            for type in types {
                for _ in 0..<2 {
                    let read = try await database.runtime.read { db in
                        try db.first("select number from things")?.decode(0, as: String.self)
                    }
                    #expect(read == "1")
                    let written = try await database.runtime.write { db in
                        try db.execute("update things set note = \(UUID().uuidString)")
                        return try db.first("select number, note from things")?.decode(0, as: String.self)
                    }
                    #expect(written == "1")
                }
                try await database.owner.write { db in
                    try db.execute(SQL(text: "alter table things alter column number type " + type))
                }
            }
        }
    }

    @Test("a statement that the server has lost is prepared again, alone and within a transaction")
    func lost() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 1 }) { database in
            for _ in 0..<3 {
                let read = try await database.runtime.read { db in try db.first("select 1")?.decode(0, as: Int.self) }
                #expect(read == 1)
                try await database.runtime.outsideTransaction(deadline: .seconds(20)) { db in
                    try db.execute("deallocate all")
                }
                let written = try await database.runtime.write { db in
                    try db.execute("select 2")
                    return try db.first("select 1")?.decode(0, as: Int.self)
                }
                #expect(written == 1)
                try await database.runtime.outsideTransaction(deadline: .seconds(20)) { db in
                    try db.execute("deallocate all")
                }
            }
        }
    }

    @Test("behind a pooler nothing is prepared, and the transaction carries the settings")
    func pooled() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.isPooled = true
            }
        ) { database in
            let organization = UUID()
            let row = try await database.runtime.read(as: organization) { db in
                try db.first(
                    "select current_setting('waymark.organization')::uuid, current_setting('lock_timeout'), now()")
            }
            #expect(try row?.decode(0, as: UUID.self) == organization)
            #expect(try row?.decode(1, as: String.self) == "3s")
            #expect(abs(try #require(try row?.decode(2, as: Date.self)).timeIntervalSinceNow) < 60)
            try await database.runtime.write(as: organization) { db in try db.execute("select \(1)") }
            let count = try await prepared(database)
            #expect(count == 0)
            let limit = try await database.runtime.outsideTransaction(deadline: .seconds(20)) { db in
                try db.first("show lock_timeout")?.decode(0, as: String.self)
            }
            #expect(limit == "0")
        }
    }
}

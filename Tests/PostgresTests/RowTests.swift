import Foundation
import Postgres
import TestSupport
import Testing

@Suite("A row") struct RowTests {
    private enum Colour: String, PostgresEncodable, PostgresDecodable {
        case red, blue
    }

    @Test("a decoding error names the column and the type, and never the value")
    func errors() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.runtime.read { db in
                let row = try #require(try db.first("select 's3cret' as name, null as nothing"))
                let attempts: [() throws -> Void] = [
                    { _ = try row.decode("name", as: Int.self) },
                    { _ = try row.decode("name", as: UUID.self) },
                    { _ = try row.decode("name", as: Bool.self) },
                    { _ = try row.decode("name", as: [Int].self) },
                    { _ = try row.decode("nothing", as: String.self) },
                    { _ = try row.decode("missing", as: String.self) },
                    { _ = try row.decode(2, as: String.self) },
                    { _ = try row.decode(-1, as: String.self) },
                ]
                for attempt in attempts {
                    let error = #expect(throws: PostgresError.self) { try attempt() }
                    #expect(error?.kind == .decoding)
                    #expect(error?.description.contains("s3cret") == false)
                }
                let error = #expect(throws: PostgresError.self) { try row.decode("name", as: Int.self) }
                #expect(error?.description == "database row: column name cannot be read as Int")
            }
        }
    }

    @Test("several columns are decoded in one call, by position")
    func tuple() async throws {
        try await withDatabase(migrations: nil) { database in
            let row = try await database.runtime.read { db in
                try #require(try db.first("select \("a"), \(2), \(true), \(Int?.none)"))
            }
            let (text, number, flag, none) = try row.decode(String.self, Int.self, Bool.self, Int?.self)
            #expect(text == "a")
            #expect(number == 2)
            #expect(flag)
            #expect(none == nil)
        }
    }

    @Test("enumerations are decoded from their raw values, and unknown values are refused")
    func rawValues() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.runtime.read { db in
                let row = try #require(try db.first("select \(Colour.blue), 'green'"))
                #expect(try row.decode(0, as: Colour.self) == .blue)
                #expect(throws: PostgresError.self) { try row.decode(1, as: Colour.self) }
            }
        }
    }

    @Test("numbers out of range are refused", arguments: ["9223372036854775808", "-9223372036854775809", "1.5", ""])
    func numbers(text: String) async throws {
        try await withDatabase(migrations: nil) { database in
            let row = try await database.runtime.read { db in try #require(try db.first("select \(text)")) }
            #expect(throws: PostgresError.self) { try row.decode(0, as: Int.self) }
        }
    }
}

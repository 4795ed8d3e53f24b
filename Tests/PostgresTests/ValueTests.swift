import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Values") struct ValueTests {
    static let hostile: [String] = [
        "", "'", "\"", "\\", "'; drop table teams; --", "$1", "%s", "{}", "NULL", "null", "a,b", "{\"a\"}", "\\x00",
        "é", "e\u{301}", "\u{FEFF}", "\u{202E}", "👩‍👩‍👧‍👦", "\r\n\t\u{1}\u{7F}", "\u{10FFFF}",
        String(repeating: "x", count: 10_000),
    ]

    @Test("hostile strings come back byte for byte, as scalars and in arrays")
    func hostileStrings() async throws {
        try await withDatabase(migrations: nil) { database in
            let strings = Self.hostile
            let (scalars, array) = try await database.runtime.read { db in
                let scalars = try strings.map { text in try db.first("select \(text)")?.decode(0, as: String.self) }
                return (scalars, try db.first("select \(strings)")?.decode(0, as: [String].self))
            }
            #expect(scalars.map { $0.map { Array($0.utf8) } } == strings.map { Array($0.utf8) })
            #expect(array.map { $0.map { Array($0.utf8) } } == strings.map { Array($0.utf8) })
        }
    }

    @Test("values of every type come back equal, without casts")
    func everyType() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in
                try db.execute(
                    """
                    create table everything (
                        key integer primary key, u uuid, t text, b boolean, i integer, l bigint, d timestamptz,
                        y bytea, j jsonb, f double precision, us uuid[], ts text[], ls bigint[], ys bytea[])
                    """)
            }
            let uuid = UUID()
            // 2026 in microseconds, PostgreSQL's precision.
            let date = Date(timeIntervalSince1970: 1_795_225_500.123456)
            let bytes: [UInt8] = Array(0...255)
            let none: String? = nil
            try await database.runtime.write { db in
                try db.execute(
                    """
                    insert into everything values (
                        \(1), \(uuid), \("x"), \(true), \(Int(-7)), \(Int64.min), \(date), \(bytes),
                        \(#"{"a": 1}"#)::jsonb, \(0.1), \([uuid, uuid]), \([String]()), \([1, -2]),
                        \([bytes, []]))
                    """)
                try db.execute("insert into everything (key, t) values (\(2), \(none))")
            }
            let limit = 5
            try await database.runtime.read { db in
                let row = try #require(
                    try db.first(
                        """
                        select * from everything
                        where u = \(uuid) and i = \(-7) and t = any(\(["x", "y"])) and d = \(date) limit \(limit)
                        """))
                #expect(try row.decode("u", as: UUID.self) == uuid)
                #expect(try row.decode("t", as: String?.self) == "x")
                #expect(try row.decode("b", as: Bool.self))
                #expect(try row.decode("i", as: Int.self) == -7)
                #expect(try row.decode("l", as: Int64.self) == .min)
                #expect(try row.decode("d", as: Date.self) == date)
                #expect(try row.decode("y", as: [UInt8].self) == bytes)
                #expect(try row.decode("j", as: String.self) == #"{"a": 1}"#)
                #expect(try row.decode("f", as: Double.self) == 0.1)
                #expect(try row.decode("us", as: [UUID].self) == [uuid, uuid])
                #expect(try row.decode("ts", as: [String].self) == [])
                #expect(try row.decode("ls", as: [Int].self) == [1, -2])
                #expect(try row.decode("ys", as: [[UInt8]].self) == [bytes, []])
                let null = try #require(try db.first("select t, d from everything where key = \(2)"))
                #expect(try null.decode("t", as: String?.self) == nil)
                #expect(try null.decode(1, as: Date?.self) == nil)
            }
        }
    }

    @Test("values of 6 MB are sent and read, as text and as bytes")
    func large() async throws {
        try await withDatabase(migrations: nil) { database in
            let bytes = (0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let text = String(repeating: "0123456789é", count: 545_455)
            let (same, gotten, length) = try await database.runtime.read { db in
                let row = try #require(try db.first("select \(bytes), \(text)"))
                let (gotten, back) = try row.decode([UInt8].self, String.self)
                return (back == text, gotten, back.utf8.count)
            }
            #expect(same)
            #expect(gotten == bytes)
            #expect(length > 6_000_000)
        }
    }

    @Test("a value with a NUL is refused before anything is sent, and the transaction continues")
    func nul() async throws {
        try await withDatabase(migrations: nil) { database in
            let kept = try await database.runtime.write { db in
                #expect(throws: PostgresError.self) { try db.execute("select \("a\0b")") }
                return try db.first("select 1")?.decode(0, as: Int.self)
            }
            #expect(kept == 1)
        }
    }

    @Test("infinity is a decoding error, not a date")
    func infinity() async throws {
        try await withDatabase(migrations: nil) { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.read { db in
                    try db.first("select 'infinity'::timestamptz as moment")?.decode("moment", as: Date.self)
                }
            }
            #expect(error?.kind == .decoding)
        }
    }
}

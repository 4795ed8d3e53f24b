import Foundation
import Glibc
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Postgres

@Suite("Shared reads", .timeLimit(.minutes(3))) struct SharedReadsTests {
    /// The surroundings that a statement sees.
    private struct Sight: Hashable {
        let organization: String
        let backend: Int
        /// The same for all statements of a transaction.
        let begin: String
    }

    private func look(_ pool: PostgresPool, as organization: UUID?) async throws -> Sight {
        let row = try await pool.read(
            as: organization,
            "select current_setting('waymark.organization'), pg_backend_pid(), now()::text"
        ).first
        let (seen, backend, begin) = try #require(row).decode(String.self, Int.self, String.self)
        return Sight(organization: seen, backend: backend, begin: begin)
    }

    @Test(
        "each statement sees its own organization, transactions are shared per organization, and two connections are enough"
    )
    func together() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumWaiters = 5000 }) { database in
            let organizations = [nil] + (0..<5).map { _ in UUID() }
            let sights = try await withThrowingTaskGroup(of: (UUID?, Sight).self) { group in
                for number in 0..<3000 {
                    let organization = organizations[number % organizations.count]
                    group.addTask { (organization, try await look(database.runtime, as: organization)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sights.count == 3000)
            var ownersOfTransactions: [String: Set<UUID?>] = [:]
            for (organization, sight) in sights {
                #expect(sight.organization == organization?.uuidString.lowercased() ?? "")
                ownersOfTransactions["\(sight.backend) \(sight.begin)", default: []].insert(organization)
            }
            #expect(ownersOfTransactions.values.allSatisfy { $0.count == 1 })
            #expect(ownersOfTransactions.count < 2000, "nothing was read together")
            #expect(database.runtime.core.load.open <= 2)
        }
    }

    @Test(
        "if a statement of a batch is refused, the others still get their answers, and each refused one gets its own error"
    )
    func refused() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumWaiters = 5000 }) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<600 {
                    group.addTask {
                        guard number.isMultiple(of: 7) else {
                            let row = try await database.runtime.read("select \(number)").first
                            let answer = try row?.decode(0, as: Int.self)
                            #expect(answer == number)
                            return
                        }
                        let error = await #expect(throws: PostgresError.self) {
                            _ = try await database.runtime.read("select 1 / (\(number) - \(number))")
                        }
                        #expect(error?.sqlState == "22012")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("shared reads cannot write")
    func readOnly() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in try db.execute("create table things (number bigint)") }
            let error = await #expect(throws: PostgresError.self) {
                _ = try await database.runtime.read("insert into things values (1) returning number")
            }
            #expect(error?.sqlState == "25006")
        }
    }

    @Test("a slow statement delays the others only briefly, and is answered too")
    func slow() async throws {
        try await withDatabase(migrations: nil, configure: { $0.deadline = .seconds(30) }) { database in
            async let slow = database.runtime.read("select 'slow' from pg_sleep(2)")
            async let others: [Int] = withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<50 {
                    group.addTask { try await database.runtime.read("select \(number)").first?.decode(0, as: Int.self) }
                }
                return try await group.reduce(into: []) { $0.append($1 ?? -1) }
            }
            let quickly = try await others.sorted()
            #expect(quickly == Array(0..<50))
            let slowly = try await slow.first?.decode(0, as: String.self)
            #expect(slowly == "slow")
        }
    }

    @Test("shared reads are answered while their backends are killed repeatedly")
    func killed() async throws {
        try await withDatabase(migrations: nil) { database in
            let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
            let answered = NIOLockedValueBox(0)
            let killer = Task {
                var before = 0
                while !Task.isCancelled {
                    // Kills after a number of answers instead of a time, so that each kill affects few of them.
                    guard answered.withLockedValue({ $0 }) >= before + 10 else {
                        try? await Task.sleep(for: .milliseconds(1))
                        continue
                    }
                    before = answered.withLockedValue { $0 }
                    _ = try? await superuser.read { db in
                        try db.execute(
                            """
                            select pg_terminate_backend(pid) from pg_stat_activity
                            where datname = current_database() and usename = 'waymark_runtime'
                            """)
                    }
                }
            }
            for number in 0..<1500 {
                // A single read may meet a backend that is being killed, like any access.
                do {
                    let row = try await database.runtime.read("select \(number)").first
                    let answer = try row?.decode(0, as: Int.self)
                    #expect(answer == number)
                    answered.withLockedValue { $0 += 1 }
                } catch let error as PostgresError {
                    #expect(error.isUnavailable)
                }
            }
            killer.cancel()
            await killer.value
            await superuser.close()
            #expect(answered.withLockedValue { $0 } > 1000)
        }
    }

    @Test("cancelling the task of a statement leaves the others alone")
    func cancelled() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumWaiters = 5000 }) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let reading = Task {
                            try await database.runtime.read("select \(number)").first?.decode(0, as: Int.self)
                        }
                        if number.isMultiple(of: 3) { reading.cancel() }
                        do {
                            let answer = try await reading.value
                            #expect(answer == number)
                        } catch let error as PostgresError {
                            #expect(number.isMultiple(of: 3) && error.kind == .cancelled)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("shared reads see new columns of a table immediately")
    func stale() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.owner.write { db in
                try db.execute("create table things as select 1 as number")
                try db.execute("grant select on things to waymark_runtime")
            }
            for columns in 1...3 {
                let rows = try await database.runtime.read("select * from things")
                #expect(rows.first?.set.columnCount == columns)
                try await database.owner.write { db in
                    try db.execute("alter table things add \(identifier: "column_\(columns)") text")
                }
            }
        }
    }

    @Test("shared reads are refused like other accesses if there is no connection or the pool is closed")
    func noConnection() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.maximumWait = .milliseconds(300)
            }
        ) { database in
            _ = try await eventually { (try? await database.runtime.read("select 1")) != nil }
            let entered = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let holder = Task {
                try await database.runtime.write(deadline: .seconds(30)) { db in
                    try db.execute("select 1")
                    entered.continuation.yield()
                    release.wait()
                }
            }
            for await _ in entered.stream { break }
            let exhausted = await #expect(throws: PostgresError.self) {
                _ = try await database.runtime.read("select 1")
            }
            #expect(exhausted?.kind == .poolExhausted)
            release.signal()
            try await holder.value
            await database.runtime.close()
            let closed = await #expect(throws: PostgresError.self) { _ = try await database.runtime.read("select 1") }
            #expect(closed?.kind == .connection)
        }
    }

    @Test("a statement that cannot be sent reports an error")
    func unsendable() async throws {
        try await withDatabase(migrations: nil) { database in
            let error = await #expect(throws: PostgresError.self) {
                _ = try await database.runtime.read("select \("a\0b")")
            }
            #expect(error?.kind == .encoding)
        }
    }
}

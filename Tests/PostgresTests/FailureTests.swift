import Foundation
import Glibc
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Postgres

@Suite("Failures", .timeLimit(.minutes(3))) struct FailureTests {
    /// One connection, so that the test knows which one a statement uses.
    private func withPool(
        deadline: Duration = .seconds(4), _ body: (TestDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.deadline = deadline
            }, body)
    }

    private func backend(_ pool: PostgresPool) async throws -> pid_t {
        pid_t(try await pool.read { db in try db.first("select pg_backend_pid()")?.decode(0, as: Int.self) } ?? 0)
    }

    /// Waits until a backend is inside `pg_sleep`.
    private func sleeps(_ pid: pid_t, in database: TestDatabase) async throws {
        // Only a superuser sees the statements of other roles.
        let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
        let isAsleep = try await eventually {
            try await superuser.read { db in
                try db.first("select from pg_stat_activity where pid = \(Int(pid)) and wait_event = 'PgSleep'") != nil
            }
        }
        #expect(isAsleep)
        await superuser.close()
    }

    @Test("a killed backend fails only the statement that runs on it")
    func killedBackend() async throws {
        try await withPool(deadline: .seconds(50)) { database in
            let pid = try await backend(database.runtime)
            let running = Task { try await database.runtime.read { db in try db.execute("select pg_sleep(60)") } }
            try await sleeps(pid, in: database)
            kill(pid, SIGTERM)
            let clock = ContinuousClock()
            let begin = clock.now
            let error = await #expect(throws: PostgresError.self) { try await running.value }
            #expect(error?.kind == .connection)
            #expect(error?.isUnavailable == true)
            #expect(clock.now - begin < .seconds(30))
            let next = try await backend(database.runtime)
            #expect(next != pid)
        }
    }

    @Test("an idle connection that the server closes is noticed before the next access")
    func killedIdle() async throws {
        try await withPool { database in
            let pid = try await backend(database.runtime)
            kill(pid, SIGTERM)
            let isGone = try await eventually { database.runtime.core.load.open == 0 }
            #expect(isGone)
            let next = try await backend(database.runtime)
            #expect(next != pid)
        }
    }

    @Test("a frozen backend is abandoned at the deadline, and the next caller gets a new one")
    func frozenBackend() async throws {
        try await withPool { database in
            let pid = try await backend(database.runtime)
            kill(pid, SIGSTOP)
            defer { kill(pid, SIGCONT) }
            let clock = ContinuousClock()
            let begin = clock.now
            let error = await #expect(throws: PostgresError.self) { try await backend(database.runtime) }
            #expect(error?.kind == .deadline)
            #expect(error?.isUnavailable == true)
            #expect((Duration.milliseconds(3990)...(.seconds(20))).contains(clock.now - begin))
            let next = try await backend(database.runtime)
            #expect(next != pid)
        }
    }

    @Test("a backend that freezes inside a transaction is abandoned too, and its work is rolled back")
    func frozenWriter() async throws {
        try await withPool { database in
            try await database.owner.write { db in try db.execute("create table things (number bigint)") }
            let pid = try await backend(database.runtime)
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.write { db in
                    try db.execute("insert into things values (1)")
                    kill(pid, SIGSTOP)
                    try db.execute("insert into things values (2)")
                }
            }
            kill(pid, SIGCONT)
            #expect(error?.kind == .deadline)
            let count = try await database.runtime.read { db in
                try db.first("select count(*) from things")?.decode(0, as: Int.self)
            }
            #expect(count == 0)
        }
    }

    @Test("cancelling a task ends its statement in the server immediately")
    func cancelled() async throws {
        try await withPool(deadline: .seconds(50)) { database in
            let pid = try await backend(database.runtime)
            let running = Task { try await database.runtime.write { db in try db.execute("select pg_sleep(60)") } }
            try await sleeps(pid, in: database)
            let clock = ContinuousClock()
            let begin = clock.now
            running.cancel()
            let error = await #expect(throws: PostgresError.self) { try await running.value }
            #expect(error?.kind == .cancelled)
            #expect(clock.now - begin < .seconds(30))
            let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
            let isOver = try await eventually {
                try await superuser.read { db in
                    try db.first("select from pg_stat_activity where pid = \(Int(pid)) and state = 'active'") == nil
                }
            }
            #expect(isOver)
            await superuser.close()
            let next = try await backend(database.runtime)
            #expect(next != pid, "a cancel request may still be under way to the old one")
        }
    }

    @Test("a cancelled statement of a frozen backend is abandoned after a second")
    func cancelledFrozen() async throws {
        try await withPool(deadline: .seconds(30)) { database in
            let pid = try await backend(database.runtime)
            kill(pid, SIGSTOP)
            defer { kill(pid, SIGCONT) }
            let running = Task { try await backend(database.runtime) }
            try await Task.sleep(for: .milliseconds(50))
            let clock = ContinuousClock()
            let begin = clock.now
            running.cancel()
            let error = await #expect(throws: PostgresError.self) { try await running.value }
            #expect(error?.kind == .cancelled)
            #expect(clock.now - begin < .seconds(20))
        }
    }

    @Test("a task cancelled before or between statements sends no more statements")
    func cancelledBefore() async throws {
        try await withPool(deadline: .seconds(20)) { database in
            let entered = AsyncStream.makeStream(of: Void.self)
            let going = DispatchSemaphore(value: 0)
            let task = Task {
                try await database.runtime.write { db in
                    try db.execute("select 1")
                    entered.continuation.yield()
                    going.wait()
                    try db.execute("select 2")
                }
            }
            for await _ in entered.stream { break }
            let early = Task { try await database.runtime.read { db in try db.execute("select 3") } }
            early.cancel()
            let earlyError = await #expect(throws: PostgresError.self) { try await early.value }
            #expect(earlyError?.kind == .cancelled)
            task.cancel()
            going.signal()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test("if the connection is lost during commit, the outcome is unknown")
    func commitUnknown() async throws {
        try await withPool(deadline: .seconds(20)) { database in
            try await database.owner.write { db in
                try db.execute("create table things (number bigint)")
                try db.execute(
                    """
                    create function linger() returns trigger language plpgsql as
                    $$ begin perform pg_sleep(60); return null; end $$
                    """)
                try db.execute(
                    """
                    create constraint trigger lingers after insert on things
                    deferrable initially deferred for each row execute function linger()
                    """)
            }
            let pid = try await backend(database.runtime)
            let running = Task {
                try await database.runtime.write { db in try db.execute("insert into things values (1)") }
            }
            try await sleeps(pid, in: database)
            kill(pid, SIGTERM)
            let error = await #expect(throws: PostgresError.self) { try await running.value }
            #expect(error?.kind == .commitOutcomeUnknown)
            #expect(error?.isUnavailable == true)
        }
    }

    @Test("a statement over the server's limit is refused as unavailable, and the connection stays usable")
    func statementTimeout() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.statementTimeout = .seconds(20)
            }
        ) { database in
            let pid = try await backend(database.runtime)
            let error = await #expect(throws: PostgresError.self) {
                // The access has less time than the session's limit, so the limit stays as it is.
                try await database.runtime.write(deadline: .seconds(20)) { db in
                    try db.execute("set local statement_timeout = 50")
                    try db.execute("select pg_sleep(60)")
                }
            }
            #expect(error?.sqlState == "57014")
            #expect(error?.isUnavailable == true)
            let same = try await backend(database.runtime)
            #expect(same == pid)
        }
    }

    @Test("no statement is compiled, however many rows the planner expects", arguments: [false, true])
    func compiling(isPooled: Bool) async throws {
        try await withDatabase(migrations: nil, configure: { $0.isPooled = isPooled }) { database in
            let setting = try await database.runtime.read { db in try db.first("show jit")?.decode(0, as: String.self) }
            #expect(setting == "off")
        }
    }

    @Test("an access with a deadline beyond the session's limit raises the limit for itself")
    func raisedLimit() async throws {
        try await withDatabase(migrations: nil, configure: { $0.statementTimeout = .milliseconds(900) }) { database in
            try await database.runtime.read(deadline: .seconds(20)) { db in try db.execute("select pg_sleep(1)") }
            try await database.owner.write(deadline: .seconds(20)) { db in try db.execute("select pg_sleep(1)") }
            let limit = try await database.runtime.outsideTransaction(deadline: .seconds(20)) { db in
                try db.first("show statement_timeout")?.decode(0, as: String.self)
            }
            #expect(limit == "900ms")
        }
    }

    @Test("a missing server is an immediate error, and is found again when it returns")
    func unreachable() async throws {
        var configuration = try PostgresConfiguration(url: "postgresql:///nowhere?host=/tmp/there-is-no-such-folder")
        configuration.maximumWait = .seconds(60)
        let pool = PostgresPool(configuration, logger: TestCluster.silent)
        for _ in 0..<20 {
            let clock = ContinuousClock()
            let begin = clock.now
            let error = await #expect(throws: PostgresError.self) {
                try await pool.read { db in try db.execute("select 1") }
            }
            #expect(error?.kind == .connection)
            #expect(clock.now - begin < .seconds(30))
        }
        await pool.close()
    }

    @Test("a server that accepts connections and never answers is abandoned")
    func silent() async throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let folder = "/tmp/waymark-silent-\(UUID().uuidString.prefix(8))"
        mkdir(folder, 0o700)
        defer {
            close(listener)
            unlink(folder + "/.s.PGSQL.5432")
            rmdir(folder)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/.s.PGSQL.5432").utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        #expect(listen(listener, 8) == 0)
        var configuration = try PostgresConfiguration(url: "host=\(folder) dbname=x")
        configuration.connectTimeout = .milliseconds(300)
        configuration.maximumWait = .seconds(20)
        let pool = PostgresPool(configuration, logger: TestCluster.silent)
        let error = await #expect(throws: PostgresError.self) {
            try await pool.read { db in try db.execute("select 1") }
        }
        #expect(error?.kind == .connection)
        await pool.close()
    }

    @Test("a database cannot be used after its access has ended")
    func afterwards() async throws {
        try await withPool { database in
            let kept = NIOLockedValueBox<[@Sendable () throws -> Void]>([])
            try await database.runtime.read { db in
                nonisolated(unsafe) let leaked = db
                kept.withLockedValue { $0.append { try leaked.execute("select 1") } }
            }
            let error = #expect(throws: PostgresError.self) { try kept.withLockedValue { $0 }.first?() }
            #expect(error?.kind == .misuse)
        }
    }
}

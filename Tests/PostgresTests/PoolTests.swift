import Foundation
import NIOConcurrencyHelpers
import ServiceLifecycle
import TestSupport
import Testing

@testable import Postgres

@Suite("The pool", .timeLimit(.minutes(3))) struct PoolTests {
    /// Holds a connection until it is released.
    private struct Holder {
        let task: Task<Void, any Error>
        let release = DispatchSemaphore(value: 0)

        /// - Throws: the error if it got no connection.
        init(_ pool: PostgresPool) async throws {
            // Opening the first connection may take longer than the test allows a caller to wait.
            _ = try await eventually { (try? await pool.read { db in try db.execute("select 1") }) != nil }
            let entered = AsyncStream.makeStream(of: Void.self)
            let release = release
            task = Task {
                defer { entered.continuation.finish() }
                try await pool.write(deadline: .seconds(30)) { db in
                    try db.execute("select 1")
                    entered.continuation.yield()
                    release.wait()
                }
            }
            for await _ in entered.stream { return }
            try await task.value
        }
    }

    @Test("a caller is refused if no connection becomes free in time")
    func exhausted() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.maximumWait = PostgresConfiguration(keywords: [:]).maximumWait
            }
        ) { database in
            let holder = try await Holder(database.runtime)
            let clock = ContinuousClock()
            let begin = clock.now
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.read { db in try db.execute("select 1") }
            }
            #expect(error?.kind == .poolExhausted)
            #expect(error?.isUnavailable == true)
            #expect((Duration.milliseconds(1890)...(.seconds(20))).contains(clock.now - begin))
            holder.release.signal()
            try await holder.task.value
            try await database.runtime.read { db in try db.execute("select 1") }
        }
    }

    @Test("a caller is refused immediately if too many are already waiting")
    func crowded() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumConnections = 1
                $0.maximumWaiters = 5
                $0.maximumWait = .milliseconds(500)
            }
        ) { database in
            let holder = try await Holder(database.runtime)
            let kinds = await withTaskGroup(of: PostgresError.Kind?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            try await database.runtime.read { db in
                                try db.execute("select 1")
                            }
                            return nil
                        } catch {
                            return (error as? PostgresError)?.kind
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(kinds.count == 20)
            #expect(kinds.allSatisfy { $0 == .poolExhausted })
            holder.release.signal()
            try await holder.task.value
        }
    }

    @Test("waiting callers are served in the order of their arrival")
    func fair() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 1 }) { database in
            let holder = try await Holder(database.runtime)
            let order = NIOLockedValueBox<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        try await database.runtime.read(deadline: .seconds(10)) { db in
                            try db.execute("select \(number)")
                            order.withLockedValue { $0.append(number) }
                        }
                    }
                    while database.runtime.core.load.waiting <= number { await Task.yield() }
                }
                holder.release.signal()
                try await group.waitForAll()
            }
            try await holder.task.value
            #expect(order.withLockedValue { $0 } == Array(0..<30))
        }
    }

    @Test("cancelling a waiting caller's task removes it from the queue")
    func cancelWaiting() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 1 }) { database in
            let holder = try await Holder(database.runtime)
            let waiting = Task { try await database.runtime.read { db in try db.execute("select 1") } }
            while database.runtime.core.load.waiting == 0 { await Task.yield() }
            let clock = ContinuousClock()
            let begin = clock.now
            waiting.cancel()
            let error = await #expect(throws: PostgresError.self) { try await waiting.value }
            #expect(error?.kind == .cancelled)
            #expect(clock.now - begin < .seconds(15))
            #expect(database.runtime.core.load.waiting == 0)
            holder.release.signal()
            try await holder.task.value
        }
    }

    @Test("thousands of concurrent reads share a few connections, and each gets its own answer")
    func crowd() async throws {
        try await withDatabase(
            migrations: nil,
            configure: {
                $0.maximumWaiters = 5000
                $0.maximumWait = .seconds(60)
                $0.deadline = .seconds(60)
            }
        ) { database in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<4000 {
                    group.addTask {
                        let organization = UUID()
                        return try await database.runtime.read(as: organization) { db in
                            let row = try db.first("select \(number), current_setting('waymark.organization')::uuid")
                            return try row?.decode(0, as: Int.self) == number
                                && row?.decode(1, as: UUID.self) == organization
                        }
                    }
                }
                var right = 0
                for try await isRight in group where isRight { right += 1 }
                #expect(right == 4000)
            }
            #expect(database.runtime.core.load.open <= 8)
        }
    }

    @Test("tasks cancelled at any moment do not mix up answers")
    func chaos() async throws {
        try await withDatabase(migrations: nil, configure: { $0.maximumConnections = 4 }) { database in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let task = Task {
                            try await database.runtime.write { db in
                                try db.execute("select pg_sleep(0.001)")
                                return try db.first("select \(number)")?.decode(0, as: Int.self)
                            }
                        }
                        if number.isMultiple(of: 3) {
                            try await Task.sleep(for: .microseconds(Int.random(in: 0...3000)))
                            task.cancel()
                        }
                        do {
                            return try await task.value == number
                        } catch let error as PostgresError {
                            return error.kind == .cancelled || error.kind == .poolExhausted
                        }
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            let after = try await database.runtime.read { db in try db.first("select 1")?.decode(0, as: Int.self) }
            #expect(after == 1)
        }
    }

    @Test("unused connections are closed")
    func idle() async throws {
        try await withDatabase(migrations: nil, configure: { $0.idleLifetime = .milliseconds(100) }) { database in
            try await database.runtime.read { db in try db.execute("select 1") }
            let isClosed = try await eventually { database.runtime.core.load.open == 0 }
            #expect(isClosed)
            try await database.runtime.read { db in try db.execute("select 1") }
        }
    }

    @Test("a closed pool refuses accesses and leaves no connection open")
    func closed() async throws {
        try await withDatabase(migrations: nil) { database in
            try await database.runtime.read { db in try db.execute("select 1") }
            await database.runtime.close()
            #expect(database.runtime.core.isEmpty)
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.read { db in try db.execute("select 1") }
            }
            #expect(error?.kind == .connection)
        }
    }

    @Test("as a service, the pool lets running accesses finish when the group shuts down")
    func service() async throws {
        try await withDatabase(migrations: nil) { database in
            let pool = PostgresPool(database.configuration(), logger: TestCluster.silent)
            let group = ServiceGroup(services: [pool], logger: TestCluster.silent)
            let running = Task { try await group.run() }
            let holder = try await Holder(pool)
            await group.triggerGracefulShutdown()
            try await Task.sleep(for: .milliseconds(50))
            holder.release.signal()
            try await holder.task.value
            try await running.value
            #expect(pool.core.isEmpty)
        }
    }

    @Test("a pool closes its connections when it is deallocated")
    func released() async throws {
        try await withDatabase(migrations: nil) { database in
            var pool: PostgresPool? = PostgresPool(database.configuration(), logger: TestCluster.silent)
            try await pool?.read { db in try db.execute("select 1") }
            let core = pool?.core
            pool = nil
            let isEmpty = try await eventually { core?.isEmpty == true }
            #expect(isEmpty)
        }
    }
}

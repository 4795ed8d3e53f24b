import AASA
import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// The worker, for jobs of any kind.
@Suite("Job worker", .timeLimit(.minutes(3)))
struct JobWorkerTests {
    /// Works as a test specifies. It records and ends like the handler of publications.
    private struct ScriptedHandler: JobHandler {
        let publications: PublicationHandler
        let work: @Sendable (Job) async throws -> Void

        func handle(_ job: Job) async throws { try await work(job) }

        func postpone(_ job: Job, until next: Date, cause: String, in tenant: TenantTransaction) throws {
            try publications.postpone(job, until: next, cause: cause, in: tenant)
        }

        func giveUp(_ job: Job, cause: String, in tenant: TenantTransaction) throws {
            try publications.giveUp(job, cause: cause, in: tenant)
        }
    }

    private struct Broken: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    private func worker(
        _ test: PublishingUnderTest, leaseSeconds: Int = 10, doorbell: Doorbell = Doorbell(),
        threads: WorkThreads? = nil, _ work: @escaping @Sendable (Job) async throws -> Void
    ) -> JobWorker {
        test.worker(
            ScriptedHandler(publications: test.handler, work: work), doorbell: doorbell, leaseSeconds: leaseSeconds,
            threads: threads)
    }

    private func makeDue(_ test: PublishingUnderTest) async throws {
        try await test.asSuperuser { try $0.execute("update jobs set due_at = now()") }
    }

    /// Not due again immediately; a short delay on a busy machine makes no difference.
    private func isPutOff(since before: Date, _ test: PublishingUnderTest) async throws {
        let due = try await test.asSuperuser { database in
            try database.first("select due_at from jobs")?.decode("due_at", as: Date.self)
        }
        #expect(try #require(due).timeIntervalSince(before) > 0.9, "due again at once")
    }

    private func job(_ test: PublishingUnderTest) async throws -> (attempts: Int, token: Int64, isParked: Bool)? {
        try await test.asSuperuser { database in
            try database.first("select attempts, token, parked_at is not null as is_parked from jobs").map { row in
                (try row.decode("attempts"), try row.decode("token"), try row.decode("is_parked"))
            }
        }
    }

    @Test("a job's computations, in any number of tasks, run on the work threads")
    func threads() async throws {
        try await withPublishing { test in
            _ = try await test.publish(test.addDomain("www"))
            let threads = WorkThreads(count: 1)
            let worker = worker(test, threads: threads) { _ in
                let areThere = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
                            return executor == threads.asUnownedTaskExecutor()
                        }
                    }
                    return await group.reduce(into: [Bool]()) { $0.append($1) }
                }
                #expect(areThere == [true, true, true])
            }
            #expect(try await worker.workOnce())
        }
    }

    @Test("a job that takes longer than its lease stays with its worker")
    func renewal() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host)
            let handler = test.handler
            // Long enough for a busy machine: a renewal is due after a third, and must not come after the lease's end.
            let slow = worker(test, leaseSeconds: 6) { job in
                try await Task.sleep(for: .seconds(8))
                try await handler.handle(job)
            }
            let working = Task { try await slow.workOnce() }
            #expect(try await eventually { try await job(test)?.attempts == 1 })
            while try await test.now(made).state != .live {
                let other = try await test.store.write { try $0.claimJob(leaseSeconds: 1) }
                #expect(other == nil, "the lease was over")
                guard other == nil else { break }
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await working.value)
            #expect(try await test.now(made).attempts == 1)
        }
    }

    @Test("the work of a worker that has lost its job is cancelled, and the job is unharmed")
    func lost() async throws {
        try await withPublishing { test in
            _ = try await test.publish(try await test.addDomain("www"))
            let wasCancelled = Flag()
            let slow = worker(test, leaseSeconds: 3) { _ in
                do {
                    try await Task.sleep(for: .seconds(60))
                } catch {
                    await wasCancelled.set()
                    throw error
                }
            }
            let working = Task { try await slow.workOnce() }
            #expect(try await eventually { try await job(test)?.attempts == 1 })
            try await test.asSuperuser { try $0.execute("update jobs set token = token + 1") }
            _ = try await working.value
            #expect(await wasCancelled.isSet)
            let kept = try #require(try await job(test))
            #expect((kept.attempts, kept.token, kept.isParked) == (1, 2, false))
        }
    }

    @Test("a failing job is postponed longer each time with its cause, and parked after five attempts")
    func failing() async throws {
        try await withPublishing { test in
            let made = try await test.publish(try await test.addDomain("www"))
            let failing = worker(test) { job in
                try await test.write { tenant in
                    let publication = try #require(try tenant.lockedPublication(made.id))
                    try tenant.begin(publication, attempt: job.attempts)
                }
                throw Broken()
            }
            for _ in 1...JobWorker.maximumAttempts {
                let before = try await test.read { try $0.clock() }
                #expect(try await failing.workOnce())
                if try await job(test)?.isParked == false { try await isPutOff(since: before, test) }
                try await makeDue(test)
            }
            let ended = try await test.now(made)
            #expect(ended.state == .failed)
            #expect(ended.cause == "given up after 5 attempts; the last one failed: the disk is full")
            let steps = try await test.steps(made)
            let attempt: [PublicationStep.Kind] = [.claimed, .postponed]
            #expect(steps.map(\.kind) == [.made] + attempt + attempt + attempt + attempt + [.claimed, .failed])
            let postponed = steps.filter { $0.kind == .postponed }
            #expect(postponed.allSatisfy { $0.cause == "the disk is full" })
            for (step, usual) in zip(postponed, [2.0, 6, 18, 54]) {
                let pause = try #require(step.nextAt).timeIntervalSince(step.at)
                #expect((usual * 0.45...usual * 1.55).contains(pause), "attempt \(step.attempt ?? 0): \(pause)")
            }
            let kept = try #require(try await job(test))
            #expect((kept.attempts, kept.isParked) == (5, true))
        }
    }

    @Test("a job that makes progress and fails again is not parked, however often it was tried before")
    func gettingOn() async throws {
        try await withPublishing { test in
            let made = try await test.publish(try await test.addDomain("www"))
            let failing = worker(test) { job in
                if job.attempts == JobWorker.maximumAttempts { try await test.write { try $0.advance(job) } }
                throw Broken()
            }
            for _ in 1...JobWorker.maximumAttempts {
                #expect(try await failing.workOnce())
                try await makeDue(test)
            }
            #expect(try #require(try await job(test)) == (1, Int64(JobWorker.maximumAttempts), false))
            #expect(try await !test.now(made).state.isEnding)
        }
    }

    @Test("an unavailable database does not count as an attempt, and a statement that takes too long does")
    func outage() async throws {
        try await withPublishing { test in
            let made = try await test.publish(try await test.addDomain("www"))
            let away = worker(test) { _ in throw PostgresError(.connection, "gone") }
            for _ in 1...10 {
                let before = try await test.read { try $0.clock() }
                #expect(try await away.workOnce())
                try await isPutOff(since: before, test)
                #expect(try #require(try await job(test)).attempts == 0)
                try await makeDue(test)
            }
            #expect(try await test.now(made).state == .scheduled)
            let slow = worker(test) { _ in
                try await test.asSuperuser { database in
                    try database.execute("set local statement_timeout = 20")
                    try database.execute("select pg_sleep(10)")
                }
            }
            #expect(try await slow.workOnce())
            #expect(try #require(try await job(test)).attempts == 1)
        }
    }

    @Test("a worker that is shut down gives its job back immediately, without counting the attempt")
    func shutdown() async throws {
        try await withPublishing { test in
            _ = try await test.publish(try await test.addDomain("www"))
            let hasBegun = Flag()
            let slow = worker(test, leaseSeconds: 600) { _ in
                await hasBegun.set()
                try await Task.sleep(for: .seconds(600))
            }
            let running = Task { try await slow.run() }
            #expect(try await eventually { await hasBegun.isSet })
            running.cancel()
            try await running.value
            let next = try #require(try await test.store.write { try $0.claimJob(leaseSeconds: 60) })
            #expect((next.attempts, next.token) == (1, 2))
        }
    }

    @Test("a job whose end cannot be written is parked anyway")
    func unendable() async throws {
        try await withPublishing { test in
            _ = try await test.publish(try await test.addDomain("www"))
            try await test.asSuperuser { database in
                try database.execute("update jobs set attempts = 5")
                try database.execute("revoke update on publications from waymark_runtime")
            }
            #expect(try await test.worker.workOnce())
            #expect(try #require(try await job(test)).isParked)
        }
    }

    @Test("without a hint, a worker runs jobs when they are due, and not before")
    func onTime() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let silent = worker(test) { try await test.handler.handle($0) }
            let running = Task { try await silent.run() }
            let due = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded() + 8)
            let made = try await test.publish(host, Publisher.Request(times: PublicationTimes(at: due)))
            #expect(try await eventually { try await test.now(made).state == .live })
            let ended = try await test.now(made)
            #expect(try #require(ended.startedAt) >= due)
            running.cancel()
            try await running.value
        }
    }
}

private actor Flag {
    private(set) var isSet = false
    func set() { isSet = true }
}

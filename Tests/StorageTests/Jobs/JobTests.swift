import AASA
import FoundationEssentials
import Postgres
import Storage
import Testing

@Suite("Jobs")
struct JobTests {
    /// A domain with `count` hosts, each with a publication and its job.
    private func queue(_ count: Int, in test: StoreUnderTest) async throws {
        try await test.write { tenant in
            for number in 0..<count {
                let host = try Host("h\(number).example.com")
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host)
                _ = try tenant.createPublication(NewPublication(of: host, version: 1, report: Sample.report))
            }
        }
    }

    private func claim(_ test: StoreUnderTest, lease: Int = 60) async throws -> Job? {
        try await test.store.write { try $0.claimJob(leaseSeconds: lease) }
    }

    @Test("concurrent workers claim different jobs, and a held job is not claimed again")
    func claiming() async throws {
        try await withStore(connections: 12) { test in
            try await queue(20, in: test)
            let claimed = try await withThrowingTaskGroup(of: Job?.self) { group in
                for _ in 0..<40 { group.addTask { try await claim(test) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }.compactMap(\.self)
            #expect(Set(claimed.map(\.id)).count == claimed.count)
            // Workers that looked while others held every row got nothing, and look again.
            var all = claimed
            while let job = try await claim(test) { all.append(job) }
            #expect(Set(all.map(\.key)).count == 20 && all.count == 20)
            #expect(all.allSatisfy { $0.attempts == 1 && $0.token == 1 && $0.organization == test.organization })
        }
    }

    @Test("an expired lease is taken over, and its previous holder can change nothing")
    func takeover() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let first = try #require(try await claim(test, lease: 0))
            let second = try #require(try await claim(test))
            #expect((second.id, second.token, second.attempts) == (first.id, first.token + 1, 2))
            #expect(try await test.write { try $0.holds(first) } == false)
            #expect(try await test.store.write { try $0.renew(first, leaseSeconds: 60) } == false)
            for change in Self.changes {
                await #expect(throws: JobLost.self) { try await test.write { try change($0, first) } }
            }
            try await test.store.write { try $0.giveBack(first, seconds: 0) }
            #expect(try await claim(test) == nil, "an old token does not give the job back")
            #expect(try await test.write { try $0.holds(second) })
            try await test.write { try $0.finish(second) }
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    /// Everything that a worker may do with a job that it holds.
    private static let changes: [@Sendable (TenantTransaction, Job) throws -> Void] = [
        { try $0.finish($1) }, { try $0.postpone($1, until: Date(timeIntervalSince1970: 0), cause: "x") },
        { try $0.park($1, cause: "x") },
    ]

    @Test("a renewed lease lasts longer than the first one")
    func renewing() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let job = try #require(try await claim(test, lease: 0))
            #expect(try await test.store.write { try $0.renew(job, leaseSeconds: 60) })
            #expect(try await claim(test) == nil)
            #expect(try await test.write { try $0.holds(job) })
        }
    }

    @Test("a postponed job keeps its cause, and is claimed again when it is due, with a new token")
    func postponing() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let first = try #require(try await claim(test))
            try await test.write { try $0.postpone(first, until: .distantFuture, cause: "no room") }
            #expect(try await claim(test) == nil)
            #expect(
                try await test.asSuperuser { try $0.query("select 1 from jobs where cause = 'no room'").count } == 1)
            try await test.asSuperuser { try $0.execute("update jobs set due_at = now()") }
            let second = try #require(try await claim(test))
            #expect((second.token, second.attempts) == (2, 2))
        }
    }

    @Test("giving a job back does not count as an attempt")
    func givingBack() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let first = try #require(try await claim(test))
            try await test.store.write { try $0.giveBack(first, seconds: 0) }
            let second = try #require(try await claim(test))
            #expect((second.token, second.attempts) == (2, 1))
        }
    }

    @Test("a parked job is kept with its cause, and is neither claimed nor waited for")
    func parking() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let job = try #require(try await claim(test, lease: 0))
            try await test.write { try $0.park(job, cause: "hopeless") }
            #expect(try await claim(test) == nil)
            #expect(try await test.store.read { try $0.nextJobDue() } == nil)
            #expect(try await test.store.write { try $0.renew(job, leaseSeconds: 60) } == false)
            #expect(try await test.write { try $0.holds(job) } == false)
            #expect(try await test.store.read { try ($0.jobCount(), $0.parkedJobCount()) } == (0, 1))
            let kept = try await test.asSuperuser { try $0.query("select cause from jobs where parked_at is not null") }
            #expect(try kept.map { try $0.decode("cause", as: String.self) } == ["hopeless"])
        }
    }

    @Test("the next job is due by the database's clock, at its time or when its lease ends")
    func nextDue() async throws {
        try await withStore { test in
            #expect(try await test.store.read { try $0.nextJobDue() } == nil)
            try await queue(1, in: test)
            #expect(try #require(try await test.store.read { try $0.nextJobDue() }) <= .zero)
            _ = try await claim(test, lease: 1_000)
            let wait = try #require(try await test.store.read { try $0.nextJobDue() })
            #expect(wait > .seconds(900) && wait <= .seconds(1_000))
            try await test.asSuperuser { try $0.execute("update jobs set due_at = now() + '1 hour'") }
            #expect(try #require(try await test.store.read { try $0.nextJobDue() }) > .seconds(3_500))
            #expect(try await claim(test) == nil)
        }
    }

    @Test("a job of another organization is not changed")
    func foreign() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let job = try #require(try await claim(test))
            let second = try await test.another("second")
            #expect(try await second.write { try $0.holds(job) } == false)
            for change in Self.changes {
                await #expect(throws: JobLost.self) { try await second.write { try change($0, job) } }
            }
            #expect(try await test.write { try $0.holds(job) })
        }
    }

    @Test("a job whose worker was lost is claimed before waiting jobs, and a failed one is not")
    func lostFirst() async throws {
        try await withStore { test in
            try await queue(4, in: test)
            let failed = try #require(try await claim(test))
            let lost = try #require(try await claim(test, lease: 0))
            try await test.write { try $0.postpone(failed, until: $0.clock(), cause: "the disk is full") }
            #expect(try await claim(test)?.id == lost.id)
            let waiting = [try await claim(test)?.id, try await claim(test)?.id]
            #expect(!waiting.contains(failed.id) && !waiting.contains(lost.id) && !waiting.contains(nil))
            #expect(try await claim(test)?.id == failed.id)
            #expect(try await claim(test) == nil)
        }
    }

    @Test("within an organization the job that has been due longest comes first")
    func order() async throws {
        try await withStore { test in
            try await queue(3, in: test)
            try await test.asSuperuser { database in
                try database.execute("update jobs set due_at = now() - make_interval(secs => 10 * id::integer)")
            }
            var ids: [Int64] = []
            while let job = try await claim(test) { ids.append(job.id) }
            #expect(ids == ids.sorted(by: >) && ids.count == 3)
        }
    }

    @Test(
        "organizations take turns: ten thousand jobs of one do not delay the others, whatever their IDs",
        arguments: ["00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"])
    func turns(id: String) async throws {
        let lone = ID<Organization>(try #require(UUID(uuidString: id)))
        try await withStore { test in
            // A thousand organizations: one with 10,000 jobs due, one with a single job due, and the others with 20 for
            // later.
            try await test.asSuperuser { database in
                try database.execute(
                    """
                    insert into organizations (id, slug, name)
                    select md5('o' || n)::uuid, 'o' || n, 'o' from generate_series(1, 998) as n
                    union all select \(lone.uuid), 'lone', 'lone'
                    """)
                try database.execute(
                    """
                    insert into jobs (organization_id, kind, key, due_at)
                    select \(test.organization.uuid), 'publish', gen_random_uuid(), now() - '1 hour'::interval
                    from generate_series(1, 10000)
                    union all
                    select md5('o' || o)::uuid, 'publish', gen_random_uuid(), now() + '1 day'
                    from generate_series(1, 998) as o, generate_series(1, 20)
                    union all
                    select \(lone.uuid), 'publish', gen_random_uuid(), now()
                    """)
            }
            try await test.asSuperuser { try $0.execute("analyze jobs") }
            var turn = ID<Organization>()
            var served: [ID<Organization>] = []
            for _ in 0..<3 {
                let after = turn
                let job = try #require(try await test.store.write { try $0.claimJob(after: after, leaseSeconds: 60) })
                turn = job.organization
                served.append(turn)
            }
            #expect(served.prefix(2).contains(lone), "the lone job is the first or the second")
            #expect(served.count { $0 == lone } == 1)
        }
    }
}

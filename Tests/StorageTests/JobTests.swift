import AASA
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
                _ = try tenant.createPublication(
                    of: host, version: 1, message: "", reason: nil, overrides: false, report: Sample.report)
            }
        }
    }

    private func claim(_ test: StoreUnderTest, lease: Int = 60) async throws -> Job? {
        try await test.store.write { try $0.claimJob(leaseSeconds: lease) }
    }

    @Test("workers that claim at once get different jobs, and no job twice while it is held")
    func claiming() async throws {
        try await withStore(connections: 12) { test in
            try await queue(20, in: test)
            let claimed = try await withThrowingTaskGroup(of: Job?.self) { group in
                for _ in 0..<40 { group.addTask { try await claim(test) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }.compactMap(\.self)
            #expect(Set(claimed.map(\.id)).count == claimed.count)
            // Those who looked while others held every row they saw went away empty-handed; they look again.
            var all = claimed
            while let job = try await claim(test) { all.append(job) }
            #expect(Set(all.map(\.key)).count == 20 && all.count == 20)
            #expect(all.allSatisfy { $0.attempts == 1 && $0.token == 1 && $0.organization == test.organization })
        }
    }

    @Test("a lease that has run out is taken over, and who held it before can end nothing")
    func takeover() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let first = try #require(try await claim(test, lease: 0))
            let second = try #require(try await claim(test))
            #expect((second.id, second.token, second.attempts) == (first.id, first.token + 1, 2))
            #expect(try await claim(test) == nil)
            #expect(try await test.write { try $0.finish(first) } == false)
            try await test.store.write { try $0.postpone(first, seconds: 0) }
            #expect(try await claim(test) == nil, "an old token does not give the job back")
            #expect(try await test.write { try $0.finish(second) })
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("a job that is given back is claimed again when it is due, with a new token")
    func postponing() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let first = try #require(try await claim(test))
            try await test.store.write { try $0.postpone(first, seconds: 3600) }
            #expect(try await claim(test) == nil)
            try await test.asSuperuser { try $0.execute("update jobs set due_at = now()") }
            let second = try #require(try await claim(test))
            #expect((second.token, second.attempts) == (2, 2))
        }
    }

    @Test("a job of another organization is not ended")
    func foreign() async throws {
        try await withStore { test in
            try await queue(1, in: test)
            let job = try #require(try await claim(test))
            let second = try await test.another("second")
            #expect(try await second.write { try $0.finish(job) } == false)
            #expect(try await test.store.read { try $0.jobCount() } == 1)
        }
    }

    @Test("the job that has been due longest comes first")
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
}

import AASA
import FoundationEssentials
import Testing

@testable import Postgres
@testable import Storage

@Suite("Deletion of an organization")
struct OrganizationDeletionTests {
    private func deletionJobs(_ test: StoreUnderTest, where condition: SQL = "true") async throws -> Int {
        try await test.asSuperuser {
            try $0.query("select 1 from jobs where kind = 'delete' and \(fragment: condition)").count
        }
    }

    @Test("every table with rows of organizations is in one of the lists")
    func tables() async throws {
        try await withStore { test in
            let found = try await test.asSuperuser { database in
                try database.query(
                    """
                    select relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
                    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'organization_id'
                    """
                ).map { try $0.decode("name", as: String.self) }
            }
            let listed = (TenantTransaction.access + TenantTransaction.content + TenantTransaction.kept).map(\.text)
            // Claims end with an activation of their own, and jobs end at the beginning.
            #expect(Set(listed).union(["claims", "jobs"]) == Set(found))
            #expect(listed.count == Set(listed).count)
        }
    }

    @Test("only a sooner request replaces an earlier one, and cancelling removes the job")
    func requests() async throws {
        try await withStore { test in
            let first = try await test.write { try $0.requestDeletion() }
            let second = try await test.write { try $0.requestDeletion() }
            #expect(first.deletion != nil && second.deletion == first.deletion)
            let sooner = try await test.write { try $0.requestDeletion(afterSeconds: 60) }
            #expect(try #require(sooner.deletion).dueAt < #require(first.deletion).dueAt)
            #expect(try await deletionJobs(test) == 1)
            let kept = try await test.write { try $0.cancelDeletion() }
            #expect(kept.deletion == nil)
            #expect(try await deletionJobs(test) == 0)
        }
    }

    @Test("a request for a deletion that has begun queues its parked job again, and it cannot be cancelled")
    func parked() async throws {
        try await withStore { test in
            _ = try await test.write { try $0.requestDeletion(afterSeconds: 0) }
            try await test.asSuperuser {
                try $0.execute("update jobs set parked_at = now(), cause = 'broken' where kind = 'delete'")
            }
            _ = try await test.write { try $0.requestDeletion(afterSeconds: 0) }
            #expect(try await deletionJobs(test, where: "parked_at is null") == 1)
            await #expect(throws: StorageError.deletionBegun) { try await test.write { try $0.cancelDeletion() } }
            #expect(try await deletionJobs(test) == 1)
        }
    }

    @Test("versions and files cannot be deleted before the deletion has begun")
    func guarded() async throws {
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(Host("www.example.com"))
                _ = try tenant.goLive(Host("www.example.com"))
                _ = try tenant.requestDeletion()
            }
            for table in ["versions", "blobs"] as [SQL] {
                await #expect(throws: PostgresError.self, "\(table.text)") {
                    try await test.asSuperuser { try $0.execute("delete from \(fragment: table)") }
                }
            }
            await #expect(throws: (any Error).self) {
                try await test.write { try $0.database.execute("update organizations set deleted_at = now()") }
            }
        }
    }
}

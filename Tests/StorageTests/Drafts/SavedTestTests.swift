import AASA
import Postgres
import Storage
import StrictJSON
import Testing

@Suite("Saved tests", .timeLimit(.minutes(3)))
struct SavedTestTests {
    private let www = "www.example.com"

    /// A store with a domain.
    private func withDomain(_ body: (StoreUnderTest, Host) async throws -> Void) async throws {
        let host = try Host(www)
        try await withStore { test in
            _ = try await test.write { try $0.createDomain(host) }
            try await body(test, host)
        }
    }

    private func plain(_ url: String, _ note: String = "") -> LinkTest {
        LinkTest(url: url, expected: .none, note: note)
    }

    /// Added, changed, removed, unchanged, and the total afterwards.
    private func numbers(_ done: TestImport) -> [Int] {
        [done.added, done.changed, done.removed, done.unchanged, done.total]
    }

    @Test("a saved test is read back, changes increase its revision, and a stale revision is refused")
    func changing() async throws {
        try await withDomain { test, host in
            let link = LinkTest(
                url: "/a?é", expected: .opens(try AppID("ABCDE12345.com.example.app")), os: .ios13point5, note: "n")
            let saved = try await test.write { try $0.createTest(link, of: host) }
            #expect((saved.revision, saved.test) == (1, link))
            #expect(try await test.read { try $0.test(saved.id, of: host) } == saved)
            let changed = try await test.write { tenant in
                try tenant.updateTest(saved.id, of: host, expecting: 1) { _ in
                    LinkTest(url: "/b", expected: .excluded)
                }
            }
            #expect((changed.id, changed.revision) == (saved.id, 2))
            #expect(changed.test == LinkTest(url: "/b", expected: .excluded))
            await #expect(throws: StorageError.testMoved(current: 2)) {
                try await test.write { try $0.updateTest(saved.id, of: host, expecting: 1) { $0 } }
            }
            await #expect(throws: StorageError.testMoved(current: 2)) {
                try await test.write { try $0.deleteTest(saved.id, of: host, expecting: 1) }
            }
            try await test.write { try $0.deleteTest(saved.id, of: host, expecting: 2) }
            await #expect(throws: StorageError.notFound(kind: "test", key: saved.id.description)) {
                try await test.read { try $0.test(saved.id, of: host) }
            }
        }
    }

    @Test("a domain has one test for each URL and system")
    func repeated() async throws {
        try await withDomain { test, host in
            let first = try await test.write { try $0.createTest(plain("/a"), of: host) }
            _ = try await test.write { try $0.createTest(LinkTest(url: "/a", expected: .none, os: .ios13), of: host) }
            for again in [plain("/a"), LinkTest(url: "/a", expected: .excluded)] {
                await #expect(throws: StorageError.exists(kind: "test")) {
                    try await test.write { try $0.createTest(again, of: host) }
                }
            }
            await #expect(throws: StorageError.exists(kind: "test")) {
                try await test.write { tenant in
                    try tenant.updateTest(first.id, of: host, expecting: nil) { old in
                        LinkTest(url: old.url, expected: old.expected, os: .ios13)
                    }
                }
            }
        }
    }

    @Test("a suite adds and changes tests, leaves equal ones untouched, and with replacing deletes the others")
    func importing() async throws {
        try await withDomain { test, host in
            let first = LinkTestSuite([plain("/1"), plain("/2"), plain("/3")])
            let begun = try await test.write { try $0.importTests(first, of: host, replacing: false) }
            #expect(numbers(begun) == [3, 0, 0, 0, 3])
            let before = try await test.read { try $0.allTests(host) }
            let second = LinkTestSuite([plain("/4"), plain("/3"), LinkTest(url: "/2", expected: .excluded)])
            let merged = try await test.write { try $0.importTests(second, of: host, replacing: false) }
            #expect(numbers(merged) == [1, 1, 0, 1, 4])
            let after = try await test.read { try $0.allTests(host) }
            #expect(after.map(\.test.url) == ["/1", "/2", "/3", "/4"])
            #expect(after.map(\.revision) == [1, 2, 1, 1])
            #expect(after.prefix(3).map(\.id) == before.map(\.id))
            #expect(after[2] == before[2])
            let replaced = try await test.write { try $0.importTests(second, of: host, replacing: true) }
            #expect(numbers(replaced) == [0, 0, 1, 3, 3])
            #expect(try await test.read { try $0.allTests(host).map(\.test.url) } == ["/2", "/3", "/4"])
        }
    }

    @Test("a domain has at most a thousand tests, however they are added")
    func limit() async throws {
        try await withDomain { test, host in
            let suite = LinkTestSuite((0..<1_000).map { plain("/\($0)") })
            let added = try await test.write { try $0.importTests(suite, of: host, replacing: false) }
            #expect(added.total == 1_000)
            await #expect(throws: StorageError.tooManyTests) {
                try await test.write { try $0.createTest(plain("/more"), of: host) }
            }
            await #expect(throws: StorageError.tooManyTests) {
                try await test.write { tenant in
                    try tenant.importTests(LinkTestSuite([plain("/more")]), of: host, replacing: false)
                }
            }
            #expect(try await test.read { try $0.allTests(host).count } == 1_000)
            let one = LinkTestSuite([plain("/more")])
            let replaced = try await test.write { try $0.importTests(one, of: host, replacing: true) }
            #expect((replaced.removed, replaced.total) == (1_000, 1))
        }
    }

    @Test("twenty concurrent writers respect the limit and lose nothing")
    func concurrent() async throws {
        try await withDomain { test, host in
            let suite = LinkTestSuite((0..<990).map { plain("/\($0)") })
            _ = try await test.write { try $0.importTests(suite, of: host, replacing: false) }
            let saved = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        await (try? test.write { try $0.createTest(plain("/w\(number)"), of: host) }) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(saved == 10)
            #expect(try await test.read { try $0.allTests(host).count } == 1_000)
        }
    }

    @Test("tests are listed page by page in the order of their creation")
    func paging() async throws {
        try await withDomain { test, host in
            let suite = LinkTestSuite((0..<7).reversed().map { plain("/\($0)") })
            _ = try await test.write { try $0.importTests(suite, of: host, replacing: false) }
            _ = try await test.write { try $0.createTest(plain("/last"), of: host) }
            var found: [String] = []
            var key: String?
            repeat {
                let after = key
                let page = try await test.read { try $0.tests(host, Page(limit: 3, after: after)) }
                found += page.items.map(\.test.url)
                key = page.next
            } while key != nil
            #expect(found == ["/6", "/5", "/4", "/3", "/2", "/1", "/0", "/last"])
        }
    }

    @Test("an alias and an unknown domain have no tests")
    func aliases() async throws {
        try await withDomain { test, host in
            let alias = try Host("alias.example.com")
            _ = try await test.write { try $0.createDomain(alias, aliasOf: host) }
            let refusal = StorageError.isAlias(of: host.description)
            await #expect(throws: refusal) { try await test.read { try $0.tests(alias, Page()) } }
            await #expect(throws: refusal) { try await test.read { try $0.allTests(alias) } }
            await #expect(throws: refusal) { try await test.write { try $0.createTest(plain("/a"), of: alias) } }
            await #expect(throws: refusal) {
                try await test.write { try $0.importTests(LinkTestSuite([]), of: alias, replacing: true) }
            }
            let absent = try Host("absent.example.com")
            await #expect(throws: StorageError.notFound(kind: "domain", key: absent.description)) {
                try await test.read { try $0.tests(absent, Page()) }
            }
        }
    }

    @Test("tests are deleted with their domain, and are reached only through it")
    func domains() async throws {
        try await withDomain { test, host in
            let other = try Host("other.example.com")
            _ = try await test.write { try $0.createDomain(other) }
            let saved = try await test.write { try $0.createTest(plain("/a"), of: host) }
            await #expect(throws: StorageError.notFound(kind: "test", key: saved.id.description)) {
                try await test.read { try $0.test(saved.id, of: other) }
            }
            await #expect(throws: StorageError.notFound(kind: "test", key: saved.id.description)) {
                try await test.write { try $0.deleteTest(saved.id, of: other, expecting: nil) }
            }
            try await test.write { try $0.deleteDomain(host) }
            #expect(try await test.asSuperuser { try $0.query("select 1 from tests").count } == 0)
        }
    }

    @Test("the longest allowed test is stored")
    func longest() async throws {
        try await withDomain { test, host in
            let app = "ABCDE12345." + String(repeating: "a", count: 244)
            let link = LinkTest(
                url: "/" + String((0..<2_047).map { _ in "abcdefghij0123456789".randomElement() ?? "a" }),
                expected: .opens(try AppID(app)), os: .ios13point5, note: String(repeating: "🙂", count: 1_000))
            #expect(try await test.write { try $0.createTest(link, of: host) }.test == link)
        }
    }

    @Test("a version keeps its test results, and lists omit them")
    func versions() async throws {
        try await withDomain { test, host in
            let version = try await test.write { tenant in
                try tenant.freeze(
                    Sample.file(), of: host, draftRevision: 1, message: "", report: Sample.report,
                    testResults: [["passed": true]])
            }
            #expect(version.testResults == [["passed": true]])
            #expect(try await test.read { try $0.version(1, of: host).testResults } == [["passed": true]])
            #expect(try await test.read { try $0.versions(host, Page()).items.allSatisfy { $0.testResults == nil } })
            try await test.asSuperuser { database in
                try database.execute("alter table versions disable trigger versions_are_kept")
                try database.execute("update versions set test_results = null")
            }
            #expect(try await test.read { try $0.version(1, of: host).testResults } == nil)
        }
    }
}

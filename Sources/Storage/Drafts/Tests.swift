public import AASA
import FoundationEssentials
import Postgres
import StrictJSON

/// A domain's saved tests. Every change first locks the domain's row, so that a publication sees a consistent set of
/// tests.
extension TenantTransaction {
    /// A domain's tests, in order of creation. Throws `notFound`, or `isAlias` for a domain that serves another
    /// domain's file.
    public func tests(_ host: Host, _ page: Page) throws -> Listing<SavedTest> {
        try requireOwnFile(host)
        return try list(page, key: { String($0.position) }, reading: { try $0.map(SavedTest.init(row:)) }) { page in
            """
            select \(fragment: SavedTest.columns) from tests
            where organization_id = \(organization.uuid) and host = \(host.description)
              and position > \(try page.key { Int32($0) }.map { Int($0) } ?? 0)
            order by position
            limit \(page.rowsToRead)
            """
        }
    }

    /// All tests of a domain, at most `LinkTestSuite.limit`. Throws `notFound`, `isAlias`.
    public func allTests(_ host: Host) throws -> [SavedTest] {
        try requireOwnFile(host)
        return try database.query(
            """
            select \(fragment: SavedTest.columns) from tests
            where organization_id = \(organization.uuid) and host = \(host.description)
            order by position
            """
        ).map(SavedTest.init(row:))
    }

    /// One test of a domain. Throws `notFound`, `isAlias`.
    public func test(_ id: ID<SavedTest>, of host: Host) throws -> SavedTest {
        try requireOwnFile(host)
        let row = try database.first(
            """
            select \(fragment: SavedTest.columns) from tests
            where organization_id = \(organization.uuid) and id = \(id.uuid) and host = \(host.description)
            """)
        guard let row else { throw StorageError.notFound(kind: "test", key: id.description) }
        return try SavedTest(row: row)
    }

    /// Saves a test. Throws `notFound`, `isAlias`, `tooManyTests`, or `exists` if the domain has a test with the same
    /// URL and system.
    public func createTest(_ test: LinkTest, of host: Host) throws -> SavedTest {
        try lockDomainForTests(host)
        let counted = try database.only(
            """
            select count(*) as count from tests
            where organization_id = \(organization.uuid) and host = \(host.description)
            """)
        guard try counted.decode("count", as: Int.self) < LinkTestSuite.limit else { throw StorageError.tooManyTests }
        let id = ID<SavedTest>()
        try insertTests([(id, test)], of: host)
        try audit(.testCreated, host, Self.detail(id, test))
        return try self.test(id, of: host)
    }

    /// Changes a test. Throws `notFound`, `isAlias`, `exists`, or `testMoved` if the revision is not the expected one.
    public func updateTest(
        _ id: ID<SavedTest>, of host: Host, expecting revision: Int?, _ change: (LinkTest) -> LinkTest
    ) throws -> SavedTest {
        let old = try lockedTest(id, of: host, expecting: revision)
        let changed = change(old.test)
        try writeTests([(id, changed)])
        try audit(.testChanged, host, Self.detail(id, changed).replacing(Self.detail(id, old.test)))
        return try test(id, of: host)
    }

    /// Deletes a test. Throws `notFound`, `isAlias`, or `testMoved` if the revision is not the expected one.
    public func deleteTest(_ id: ID<SavedTest>, of host: Host, expecting revision: Int?) throws {
        let old = try lockedTest(id, of: host, expecting: revision)
        try deleteTests([id])
        try audit(.testDeleted, host, Self.detail(id, old.test))
    }

    /// A test in the detail of an audit entry.
    private static func detail(_ id: ID<SavedTest>, _ test: LinkTest) -> JSONValue {
        var object = test.json.object ?? JSONObject()
        object["test"] = .string(id.description)
        return .object(object)
    }

    /// Saves a suite. New tests are added. If a test with the same URL and system exists, it gets the suite's
    /// expectation and note. With `replacing`, tests that are not in the suite are deleted. If it throws `notFound`,
    /// `isAlias` or `tooManyTests`, nothing has changed.
    public func importTests(_ suite: LinkTestSuite, of host: Host, replacing: Bool) throws -> TestImport {
        try lockDomainForTests(host)
        let existing = try allTests(host)
        let known = Dictionary(existing.map { ($0.test.identity, $0) }, uniquingKeysWith: { first, _ in first })
        let named = Set(suite.tests.map(\.identity))
        let added = suite.tests.filter { known[$0.identity] == nil }
        let changed = suite.tests.compactMap { test in
            known[test.identity].flatMap { $0.test == test ? nil : ($0.id, test) }
        }
        let removed = replacing ? existing.filter { !named.contains($0.test.identity) } : []
        let total = existing.count + added.count - removed.count
        guard total <= LinkTestSuite.limit else { throw StorageError.tooManyTests }
        try deleteTests(removed.map(\.id))
        try writeTests(changed)
        try insertTests(added.map { (ID<SavedTest>(), $0) }, of: host)
        let result = TestImport(
            added: added.count, changed: changed.count, removed: removed.count,
            unchanged: suite.tests.count - added.count - changed.count, total: total)
        try audit(
            .testsImported, host,
            ["added": .int(result.added), "changed": .int(result.changed), "removed": .int(result.removed)])
        return result
    }

    private func lockedTest(_ id: ID<SavedTest>, of host: Host, expecting revision: Int?) throws -> SavedTest {
        try lockDomainForTests(host)
        let test = try test(id, of: host)
        if let revision, revision != test.revision { throw StorageError.testMoved(current: test.revision) }
        return test
    }

    private func lockDomainForTests(_ host: Host) throws {
        try requireOwnFile(host, locking: "for update")
    }

    /// Throws `isAlias` if the domain is an alias, because the tests belong to the domain whose file the alias serves.
    private func requireOwnFile(_ host: Host, locking: SQL = "") throws {
        let row = try database.first(
            """
            select alias_of from domains
            where organization_id = \(organization.uuid) and host = \(host.description)
            \(fragment: locking)
            """)
        guard let row else { throw StorageError.notFound(kind: "domain", key: host.description) }
        if let target = try row.decode("alias_of", as: String?.self) { throw StorageError.isAlias(of: target) }
    }

    private typealias Identified = (id: ID<SavedTest>, test: LinkTest)

    private func insertTests(_ tests: [Identified], of host: Host) throws {
        guard !tests.isEmpty else { return }
        let columns = TestColumns(tests)
        try database.execute(
            """
            insert into tests (organization_id, id, host, position, url, outcome, app_id, os, note)
            select \(organization.uuid), new.id::uuid, \(host.description),
              new.place + (
                select coalesce(max(position), 0) from tests
                where organization_id = \(organization.uuid) and host = \(host.description)
              ),
              new.url, new.outcome, nullif(new.app_id, ''), nullif(new.os, ''), new.note
            from unnest(
              \(columns.ids)::text[], \(columns.urls)::text[], \(columns.outcomes)::text[], \(columns.apps)::text[],
              \(columns.systems)::text[], \(columns.notes)::text[]
            ) with ordinality as new (id, url, outcome, app_id, os, note, place)
            """)
    }

    private func writeTests(_ tests: [Identified]) throws {
        guard !tests.isEmpty else { return }
        let columns = TestColumns(tests)
        try database.execute(
            """
            update tests
            set revision = tests.revision + 1, url = new.url, outcome = new.outcome,
              app_id = nullif(new.app_id, ''), os = nullif(new.os, ''), note = new.note,
              updated_at = clock_timestamp()
            from unnest(
              \(columns.ids)::text[], \(columns.urls)::text[], \(columns.outcomes)::text[], \(columns.apps)::text[],
              \(columns.systems)::text[], \(columns.notes)::text[]
            ) as new (id, url, outcome, app_id, os, note)
            where tests.organization_id = \(organization.uuid) and tests.id = new.id::uuid
            """)
    }

    private func deleteTests(_ ids: [ID<SavedTest>]) throws {
        guard !ids.isEmpty else { return }
        try database.execute(
            """
            delete from tests
            where organization_id = \(organization.uuid) and id = any(\(ids.map(\.description))::uuid[])
            """)
    }
}

/// The result of an import.
public struct TestImport: Hashable, Sendable {
    /// The number of new tests.
    public let added: Int
    /// The number of existing tests with a new expectation or note.
    public let changed: Int
    /// The number of deleted tests.
    public let removed: Int
    /// The number of tests in the suite that already existed unchanged.
    public let unchanged: Int
    /// The number of tests of the domain after the import.
    public let total: Int
}

/// Tests as one array per column, so that one statement saves many tests. In these arrays, an empty text means null.
private struct TestColumns {
    let ids: [String]
    let urls: [String]
    let outcomes: [String]
    let apps: [String]
    let systems: [String]
    let notes: [String]

    init(_ tests: [(id: ID<SavedTest>, test: LinkTest)]) {
        ids = tests.map(\.id.description)
        urls = tests.map(\.test.url)
        outcomes = tests.map(\.test.expected.outcome.rawValue)
        apps = tests.map { $0.test.expected.app?.description ?? "" }
        systems = tests.map { $0.test.os?.rawValue ?? "" }
        notes = tests.map(\.test.note)
    }
}

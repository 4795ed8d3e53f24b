import AASA
import Cron
import Foundation
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

extension StoreUnderTest {
    /// All events, after numbering them.
    fileprivate func events(after position: Int64 = 0, where filter: EventFilter = EventFilter()) async throws
        -> [Event]
    {
        while try await write({ try $0.placeEvents() }) > 0 {}
        let newest = try await store.read(as: organization, .eventNews).newest
        return try await read { try $0.events(after: position, upTo: newest, limit: 100_000, filter) }
    }

    fileprivate func addTeam(_ number: Int) async throws {
        _ = try await write { try $0.createTeam(TeamID(String(format: "TEAM%06d", number)), name: "a") }
    }

    /// Reads by position until it has seen this many events, like a client that follows the list.
    fileprivate func follow(until count: Int) async throws -> [Event] {
        var seen: [Event] = []
        while seen.count < count {
            seen += try await events(after: seen.last?.position ?? 0)
        }
        return seen
    }
}

/// The audit trail as a list from which no reader misses an entry.
@Suite("Events", .timeLimit(.minutes(3)))
struct EventTests {
    @Test("an event that commits late comes after those that were already read")
    func late() async throws {
        try await withStore { test in
            let before = try await test.events().count
            let hold = Hold()
            async let late: Void = test.write { tenant in
                _ = try tenant.createTeam(TeamID("TEAM000001"), name: "late")
                hold.stop()
            }
            await hold.reached()
            try await test.addTeam(2)
            let seen = try await test.events()
            #expect(seen.map(\.subject).last == "TEAM000002")
            #expect(seen.map(\.position) == Array(1...Int64(before + 1)))
            hold.release()
            try await late
            let more = try await test.events(after: Int64(before + 1))
            #expect(more.map(\.subject) == ["TEAM000001"])
            #expect(more.map(\.position) == [Int64(before + 2)])
            #expect(try await test.events().dropLast() == seen[...])
        }
    }

    @Test("with sixteen writers that commit in any order, three readers see every entry once, in the same order")
    func manyWriters() async throws {
        let (writers, each) = (16, 12)
        try await withStore(connections: 24) { test in
            let before = try await test.events().count
            let total = before + writers * each
            let lists = try await withThrowingTaskGroup(of: [Event].self) { group -> [[Event]] in
                for writer in 0..<writers {
                    group.addTask {
                        for number in 0..<each {
                            try await test.write { tenant in
                                let id = try TeamID(String(format: "TEAM%06d", writer * each + number))
                                _ = try tenant.createTeam(id, name: "a")
                                usleep(UInt32.random(in: 0...20_000))
                            }
                        }
                        return []
                    }
                }
                for _ in 1...3 { group.addTask { try await test.follow(until: total) } }
                return try await group.reduce(into: [[Event]]()) { if !$1.isEmpty { $0.append($1) } }
            }
            #expect(lists.count == 3)
            for list in lists {
                #expect(list == lists.first)
                #expect(list.map(\.position) == Array(1...Int64(total)))
            }
            let subjects = (lists.first ?? []).dropFirst(before).map(\.subject)
            #expect(subjects.sorted() == (0..<writers * each).map { String(format: "TEAM%06d", $0) })
            // Otherwise the test has not produced the disorder that it is about.
            #expect(subjects != subjects.sorted())
        }
    }

    @Test("an organization's list has only its own entries, with positions of their own")
    func organizations() async throws {
        try await withStore { first in
            let second = try await first.another("second")
            for number in 1...3 { try await first.addTeam(number) }
            try await second.addTeam(4)
            #expect(try await first.events().map(\.subject) == ["acme", "TEAM000001", "TEAM000002", "TEAM000003"])
            let others = try await second.events()
            #expect(others.map(\.subject) == ["second", "TEAM000004"])
            #expect(others.map(\.position) == [1, 2])
        }
    }

    @Test(
        "an event keeps its position and is never deleted",
        arguments: ["update", "reset", "kind", "delete", "truncate"])
    func kept(how: String) async throws {
        let statement: SQL =
            switch how {
            case "update": "update events set position = position + 100"
            case "reset": "update events set position = null"
            case "kind": "update events set kind = 'other' where position is null"
            case "delete": "delete from events"
            default: "truncate events"
            }
        try await withStore { test in
            _ = try await test.events()
            try await test.addTeam(1)
            let error = await #expect(throws: PostgresError.self) {
                try await test.asSuperuser { try $0.execute(statement) }
            }
            #expect(error?.sqlState == "23001")
        }
    }

    @Test("entries that are older than events are numbered in their order")
    func migration() async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: TestCluster.repositoryMigrations).sorted()
        let events = try #require(files.firstIndex { $0.hasSuffix("_events.sql") })
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files[..<events] {
            try FileManager.default.copyItem(
                atPath: TestCluster.repositoryMigrations + "/" + file, toPath: folder.path() + "/" + file)
        }
        let old = [("team.created", "A"), ("domain.created", "b.example"), ("app.created", "C")]
        let organizations = [ID<Organization>(), ID<Organization>()]
        try await withDatabase(migrations: folder.path()) { database in
            for organization in organizations {
                let (id, slug) = (organization.uuid, "o\(organization.description.prefix(4))")
                try await database.runtime.write(as: id) { db in
                    try db.execute("insert into organizations (id, slug, name) values (\(id), \(slug), 'o')")
                    for (action, subject) in old {
                        try db.execute(
                            """
                            insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
                            values (\(id), 'user', 'u', \(action), \(subject), '{}')
                            """)
                    }
                }
            }
            let migrator = try Migrator(directory: TestCluster.repositoryMigrations, logger: TestCluster.silent)
            try await migrator.migrate(database.owner)
            for organization in organizations {
                let test = StoreUnderTest(
                    database: database, store: Store(pool: database.runtime), organization: organization)
                let events = try await test.events()
                #expect(events.map(\.subject) == ["A", "b.example", "C"])
                #expect(events.map(\.position) == [1, 2, 3])
                #expect(events.map { $0.host?.description } == [nil, "b.example", nil])
                try await test.addTeam(1)
                #expect(try await test.events(after: 3).map(\.position) == [4])
            }
        }
    }

    @Test("events are found by kind and by host, from both ends")
    func filters() async throws {
        let first = try Host("a.example")
        let second = try Host("b.example")
        try await withStore { test in
            try await test.write { tenant in
                for host in [first, second] { try tenant.addVerified(host) }
                _ = try tenant.createTeam(TeamID("TEAM000001"), name: "a")
                // A name that looks like a host is not a host.
                _ = try tenant.createToken(name: "a.example", role: .viewer)
            }
            let all = try await test.events()
            #expect(
                try await test.events(where: EventFilter(host: first)).map(\.kind) == [
                    "domain.created", "domain.verified",
                ])
            let verified = EventFilter(kinds: [.domainVerified])
            #expect(try await test.events(where: verified).map(\.host) == [first, second])
            #expect(try await test.events(where: EventFilter(kinds: [.domainVerified], host: second)).count == 1)
            let newest = try await test.read { try $0.newestEvents(Page(limit: 4)) }
            #expect(newest.items == all.suffix(4).reversed())
            let older = try await test.read { try $0.newestEvents(Page(limit: 4, after: newest.next)) }
            #expect(newest.items + older.items == all.reversed())
            #expect(older.next == nil)
            let others = try await test.read { try $0.newestEvents(Page(), verified) }
            #expect(others.items.map(\.host) == [second, first])
        }
    }

    @Test(
        "schedules and freezes are found by each host that they concern: by its name, by its current labels, or if they concern all"
    )
    func concerned() async throws {
        let (shop, plain) = (try Host("shop.example"), try Host("plain.example"))
        try await withStore { test in
            try await test.write { tenant in
                _ = try tenant.createDomain(shop, labels: ["shop", "*"])
                _ = try tenant.createDomain(plain)
                for (name, target) in [("own", Schedule.Target.domain(plain)), ("labelled", .label("shop"))] {
                    let expression = try CronExpression(parsing: "@daily")
                    let made = try tenant.createSchedule(
                        Schedule.Settings(name: name, target: target, expression: expression, zone: "UTC"))
                    try tenant.end(tenant.runNow(made.id))
                }
                let end = try tenant.clock().addingTimeInterval(3_600)
                for label in ["shop", "brand", nil] {
                    _ = try tenant.liftFreeze(tenant.createFreeze(label: label, reason: "r", endsAt: end).id)
                }
            }
            func told(_ host: AASA.Host) async throws -> [String] {
                let things = ["schedule", "run", "freeze"].flatMap(EventKind.named)
                return try await test.events(where: EventFilter(kinds: things, host: host)).map {
                    "\($0.kind) \($0.subject)"
                }
            }
            let labelled = [
                "schedule.created labelled", "run.started labelled", "run.ended labelled", "freeze.created shop",
                "freeze.lifted shop",
            ]
            let all = ["freeze.created *", "freeze.lifted *"]
            #expect(try await told(shop) == labelled + all)
            let own = ["schedule.created own", "run.started own", "run.ended own"]
            #expect(try await told(plain) == own + all)
            _ = try await test.write { try $0.updateDomain(plain, aliasOf: nil, labels: ["brand"]) }
            #expect(try await told(plain) == own + ["freeze.created brand", "freeze.lifted brand"] + all)
            #expect(try await told(Host("absent.example")).isEmpty)
        }
    }

    @Test("a release is found by each of its domains, from start to end, and by no other")
    func released() async throws {
        let hosts = try ["one.example", "two.example", "other.example"].map { try Host($0) }
        try await withStore { test in
            let made = try await test.write { tenant in
                for host in hosts { _ = try tenant.createDomain(host, labels: ["shop"]) }
                return try tenant.createRelease(NewRelease(of: .hosts(Array(hosts.prefix(2)))))
            }
            _ = try await test.write { try $0.cancelRelease(made.id) }
            for host in hosts {
                let told = try await test.events(where: EventFilter(kinds: EventKind.named("release"), host: host))
                #expect(told.map(\.kind) == (host == hosts[2] ? [] : ["release.created", "release.cancelled"]))
                #expect(told.allSatisfy { $0.subject == made.id.description && $0.host == nil })
                let filter = EventFilter(host: host)
                let all = try await test.events(where: filter)
                #expect(try await test.read { try $0.newestEvents(Page(), filter) }.items == all.reversed())
            }
        }
    }

    @Test("events are found by the name of their author, by time and by act, and the parts of acts can be left out")
    func authorsTimesAndActs() async throws {
        let hosts = try ["one.example", "two.example"].map { try Host($0) }
        try await withStore { test in
            let (cleo, bert) = (Author(kind: .user, name: "Cleo@example.com"), Author(kind: .token, name: "bert"))
            for (host, author) in zip(hosts, [cleo, bert]) {
                _ = try await test.store.write(as: test.organization, by: author) { try $0.createDomain(host) }
            }
            let made = try await test.write { try $0.createRelease(NewRelease(of: .hosts(hosts))) }
            let act = EventAct.release(made.id)
            _ = try await test.store.write(as: test.organization, by: bert, partOf: act) { tenant in
                try tenant.updateDomain(hosts[0], aliasOf: nil, labels: ["a"])
            }
            _ = try await test.write { try $0.cancelRelease(made.id) }
            _ = try await test.write { try $0.updateDomain(hosts[1], aliasOf: nil, labels: ["b"]) }
            func found(_ filter: EventFilter) async throws -> [String] {
                let events = try await test.events(where: filter)
                #expect(try await test.read { try $0.newestEvents(Page(), filter) }.items == events.reversed())
                return events.map { "\($0.kind) \($0.host?.description ?? "")" }
            }
            #expect(try await found(EventFilter(actor: "CLEO@example.com")) == ["domain.created one.example"])
            #expect(
                try await found(EventFilter(actor: "bert")) == [
                    "domain.created two.example", "domain.changed one.example",
                ])
            #expect(
                try await found(EventFilter(kinds: [.domainChanged], host: hosts[0], actor: "bert"))
                    == ["domain.changed one.example"])
            #expect(try await found(EventFilter(actor: "ber")) == [])
            #expect(
                try await found(EventFilter(act: act))
                    == ["release.created ", "domain.changed one.example", "release.cancelled "])
            #expect(
                try await found(EventFilter(act: act, withoutParts: true)) == [
                    "release.created ", "release.cancelled ",
                ])
            #expect(try await found(EventFilter(act: .run(ID()))) == [])
            let kinds: [EventKind] = [.domainChanged, .releaseCancelled]
            #expect(
                try await found(EventFilter(kinds: kinds, withoutParts: true))
                    == ["release.cancelled ", "domain.changed two.example"])
            #expect(
                try await found(EventFilter(host: hosts[0], withoutParts: true))
                    == ["domain.created one.example", "release.created ", "release.cancelled "])
            let all = try await test.events()
            let middle = try #require(all.first { $0.kind == "release.created" }).at
            let before = all.filter { $0.at < middle }.count
            #expect(try await test.events(where: EventFilter(until: middle)).count == before)
            #expect(try await test.events(where: EventFilter(since: middle)).count == all.count - before)
            #expect(try await found(EventFilter(since: middle, until: middle)) == [])
            #expect(try await found(EventFilter(since: .distantFuture)) == [])
            #expect(try await test.events(where: EventFilter(until: .distantFuture)) == all)
        }
    }

    @Test("an event has its actor, its kind and enough detail to act on")
    func detail() async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                let version = try tenant.freezeSample(host)
                let made = try tenant.createPublication(
                    NewPublication(of: host, version: version.number, message: "summer", report: Sample.report))
                guard case .done(let activation) = try tenant.activate(version, of: host, expecting: .anything)
                else { return }
                _ = try tenant.end(made, as: .live, activation: activation)
            }
            let events = try await test.events(where: EventFilter(kinds: EventKind.named("publication")))
            #expect(events.map(\.actor) == [StoreUnderTest.author, StoreUnderTest.author])
            let made = try #require(events.first)
            let live = try #require(events.last)
            #expect(made.detail["message"]?.string == "summer")
            #expect(live.detail["version"]?.int == 1)
            #expect(live.detail["activation"]?.int == 1)
            #expect(live.detail["publication"] == made.detail["publication"])
        }
    }
}

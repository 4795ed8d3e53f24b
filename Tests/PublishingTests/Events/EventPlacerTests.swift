import AASA
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// Workers number events.
@Suite("Numbering events", .timeLimit(.minutes(3)))
struct EventPlacerTests {
    private func addTeam(_ test: PublishingUnderTest, _ number: Int) async throws {
        _ = try await test.write { try $0.createTeam(TeamID("TEAM00\(number)"), name: "a") }
    }

    /// The number of events without a position, and of rows in `unplaced_events`.
    private func unplaced(_ test: PublishingUnderTest) async throws -> (events: Int, notes: Int) {
        let organization = test.organization.uuid
        return try await test.database.runtime.read(as: organization) { database in
            let row = try database.first(
                """
                select (select count(*) from events where organization_id = \(organization) and position is null) as events,
                  (select count(*) from unplaced_events where organization_id = \(organization)) as notes
                """)
            return (try row?.decode("events", as: Int.self) ?? -1, try row?.decode("notes", as: Int.self) ?? -1)
        }
    }

    @Test("events are numbered without a reader, and the organization's row is removed")
    func placing() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            for number in 1000...1009 { try await addTeam(test, number) }
            #expect(try await unplaced(test).events >= 10)
            // All writers share one row until a worker removes it.
            #expect(try await unplaced(test).notes == 1)
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
            try await addTeam(test, 1010)
            #expect(try await unplaced(test) == (1, 1))
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
        }
    }

    @Test("a row remains while a transaction relies on it")
    func openTransaction() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            try await addTeam(test, 1000)
            let hold = Hold()
            // It relies on the row of the first event.
            async let late: Void = test.write { tenant in
                _ = try tenant.createTeam(TeamID("TEAM001001"), name: "late")
                hold.stop()
            }
            await hold.reached()
            let organization = test.organization
            _ = try await test.store.write(as: organization, by: .system) { try $0.placeNotedEvents() }
            #expect(try await unplaced(test) == (0, 1))
            hold.release()
            try await late
            #expect(try await unplaced(test) == (1, 1))
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
        }
    }

    @Test("three workers and eight writers number every event once")
    func together() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            let before = try await EventFeed(store: test.store).newest(as: test.organization)
            let isOver = Flag()
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask { while !isOver.isSet { try await placer.placeAll() } }
                }
                try await withThrowingTaskGroup { writers in
                    for writer in 0..<8 {
                        writers.addTask {
                            for number in 0..<25 { try await addTeam(test, 1000 + writer * 100 + number) }
                        }
                    }
                    try await writers.waitForAll()
                }
                isOver.set()
                try await group.waitForAll()
            }
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
            let news = try await test.store.read(as: test.organization, .eventNews)
            #expect(news.newest == before + 200)
        }
    }

    @Test("an organization whose events cannot be numbered does not stop the others")
    func oneFails() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            try await placer.placeAll()
            try await addTeam(test, 1000)
            let failing = test.organization
            // The highest possible position: the next event cannot get one.
            try await test.asSuperuser { database in
                try database.execute(
                    """
                    update events set position = \(Int64.max)
                    where organization_id = \(failing.uuid) and position is null
                    """)
            }
            try await addTeam(test, 1001)
            for number in 0..<4 {
                _ = try await test.store.write(as: ID(), by: .system) { tenant in
                    try tenant.createOrganization(slug: "other-\(number)", name: "other")
                }
            }
            let errors = try await placer.placeAll()
            #expect(Array(errors.keys) == [failing])
            let waiting = try await test.store.read { try $0.organizationsWithUnplacedEvents() }
            #expect(waiting == [failing])
            #expect(try await unplaced(test).events == 1)
        }
    }

    @Test("more events than one transaction may number are numbered in one call")
    func backlog() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            let (organization, count) = (test.organization.uuid, TenantTransaction.maximumEventsPlacedAtOnce + 1)
            try await test.database.runtime.write(as: organization) { database in
                try database.execute(
                    """
                    insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
                    select \(organization), 'user', 'u', 'team.created', n, '{}' from generate_series(1, \(count)) as n
                    """)
            }
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
        }
    }
}

import AASA
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// Workers give events their places.
@Suite("Placing events", .timeLimit(.minutes(3)))
struct EventPlacerTests {
    private func addTeam(_ test: PublishingUnderTest, _ number: Int) async throws {
        _ = try await test.write { try $0.createTeam(TeamID("TEAM00\(number)"), name: "a") }
    }

    /// How many events have no place, and how many rows note that.
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

    @Test("events are placed without a reader, and what was noted is forgotten")
    func placing() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            for number in 1000...1009 { try await addTeam(test, number) }
            #expect(try await unplaced(test).events >= 10)
            // One row serves all writers until a worker comes.
            #expect(try await unplaced(test).notes == 1)
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
            try await addTeam(test, 1010)
            #expect(try await unplaced(test) == (1, 1))
            try await placer.placeAll()
            #expect(try await unplaced(test) == (0, 0))
        }
    }

    @Test("an event that commits after a worker came stays noted")
    func openTransaction() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            try await addTeam(test, 1000)
            let hold = Hold()
            // It relies on the row that the first one has left.
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

    @Test("three workers and eight writers leave no event without a place and no place twice")
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

    @Test("a backlog of more events than one transaction places is placed in one look")
    func backlog() async throws {
        try await withPublishing { test in
            let placer = EventPlacer(store: test.store, logger: TestCluster.silent)
            let (organization, count) = (test.organization.uuid, TenantTransaction.mostEventsPlacedAtOnce + 1)
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

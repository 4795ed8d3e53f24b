import AASA
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// Following the events of an organization.
@Suite("Event feed", .timeLimit(.minutes(3)))
struct EventFeedTests {
    private func addTeam(_ test: PublishingUnderTest, _ number: Int) async throws {
        _ = try await test.write { try $0.createTeam(TeamID("TEAM00000\(number)"), name: "a") }
    }

    @Test("a waiting caller gets an event without a ring, and only of the requested kinds")
    func waiting() async throws {
        try await withPublishing { test in
            let feed = EventFeed(store: test.store)
            let (organization, newest) = (test.organization, try await feed.newest(as: test.organization))
            async let told = feed.events(
                as: organization, after: newest, limit: 10, EventFilter(kinds: [.teamDeleted]), wait: .seconds(60))
            try await addTeam(test, 1)
            _ = try await test.write { try $0.deleteTeam(TeamID("TEAM000001")) }
            let stretch = try await told
            #expect(stretch.events.map(\.kind) == ["team.deleted"])
            #expect(stretch.next == newest + 2)
        }
    }

    @Test("a ring wakes a waiting caller")
    func bell() async throws {
        try await withPublishing { test in
            let bell = Doorbell()
            let feed = EventFeed(store: test.store, doorbell: bell)
            let newest = try await feed.newest(as: test.organization)
            let nothing = try await feed.events(as: test.organization, after: newest, limit: 10)
            #expect(nothing.events.isEmpty && nothing.next == newest)
            let organization = test.organization
            async let told = feed.events(as: organization, after: newest, limit: 10, wait: .seconds(60))
            try await addTeam(test, 1)
            bell.ring()
            #expect(try await told.events.map(\.subject) == ["TEAM000001"])
        }
    }

    @Test("events that collected for a long time are numbered in one call, and read page by page")
    func backlog() async throws {
        try await withPublishing { test in
            let feed = EventFeed(store: test.store)
            let before = try await feed.newest(as: test.organization)
            let (organization, count) = (test.organization.uuid, 2 * TenantTransaction.maximumEventsPlacedAtOnce + 1)
            try await test.database.runtime.write(as: organization) { database in
                try database.execute(
                    """
                    insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
                    select \(organization), 'user', 'u', 'team.created', n, '{}' from generate_series(1, \(count)) as n
                    """)
            }
            #expect(try await feed.newest(as: test.organization) == before + Int64(count))
            var (place, subjects) = (before, [String]())
            while true {
                let stretch = try await feed.events(as: test.organization, after: place, limit: 4_000)
                guard !stretch.events.isEmpty else { break }
                subjects += stretch.events.map(\.subject)
                place = stretch.next
            }
            #expect(subjects == (1...count).map(String.init))
        }
    }

    @Test("a position after the newest one is refused")
    func unknown() async throws {
        try await withPublishing { test in
            let feed = EventFeed(store: test.store)
            let newest = try await feed.newest(as: test.organization)
            await #expect(throws: EventFeed.UnknownPlace(newest: newest)) {
                _ = try await feed.events(as: test.organization, after: newest + 1, limit: 10)
            }
        }
    }
}

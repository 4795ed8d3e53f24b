import AASA
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import Testing

@Suite("Publications")
struct PublicationTests {
    private func made(_ test: StoreUnderTest, _ name: String = "www") async throws -> Publication {
        let host = try Host("\(name).example.com")
        return try await test.write { tenant in
            try tenant.addVerified(host)
            _ = try tenant.freezeSample(host)
            return try tenant.createPublication(NewPublication(of: host, version: 1, report: Sample.report))
        }
    }

    @Test("steps are numbered within their publication, and never changed or deleted")
    func steps() async throws {
        try await withStore { test in
            let publication = try await made(test)
            try await test.write { tenant in
                try tenant.begin(publication, attempt: 1)
                try tenant.postpone(publication, until: .distantFuture, attempt: 1, cause: "x")
            }
            let ids = [publication.id]
            #expect(try await test.read { try $0.steps(of: ids)[publication.id]?.count } == 3)
            let harms: [SQL] = [
                "update publication_steps set cause = 'other'", "delete from publication_steps",
                "truncate publication_steps",
            ]
            for harm in harms {
                await #expect(throws: PostgresError.self) { try await test.asSuperuser { try $0.execute(harm) } }
            }
            let numbers = try await test.asSuperuser { database in
                try database.query("select number from publication_steps order by at, number")
                    .map { try $0.decode("number", as: Int.self) }
            }
            #expect(numbers == [1, 2, 3])
        }
    }

    @Test("an attempt that was given back is recorded once")
    func attemptsOnce() async throws {
        try await withStore { test in
            let publication = try await made(test)
            for _ in 1...3 {
                try await test.write { tenant in
                    let now = try #require(try tenant.lockedPublication(publication.id))
                    try tenant.begin(now, attempt: 1)
                }
            }
            let steps = try await test.read { try $0.steps(of: [publication.id])[publication.id] ?? [] }
            #expect(steps.map(\.kind) == [.made, .claimed])
        }
    }

    @Test("lists can be filtered by a state or by pending publications, for one domain and for all")
    func filters() async throws {
        try await withStore { test in
            let first = try await made(test)
            let second = try await made(test, "second")
            _ = try await test.write { try $0.cancelPublication(first.id, of: first.host) }
            try await test.write { try $0.begin(second, attempt: 1) }
            let cases: [(String, [ID<Publication>])] = [
                ("pending", [second.id]), ("running", [second.id]), ("cancelled", [first.id]), ("live", []),
            ]
            for (text, expected) in cases {
                let filter = try #require(PublicationFilter(text))
                let all = try await test.read { try $0.publications(Page(), filter) }
                #expect(all.items.map(\.id) == expected)
                let host = first.host
                let ofFirst = try await test.read { try $0.publications(host, Page(), filter) }
                #expect(ofFirst.items.map(\.id) == expected.filter { $0 == first.id })
            }
            #expect(try await test.read { try $0.publications(Page()).items.map(\.id) } == [second.id, first.id])
            #expect(PublicationFilter("odd") == nil)
        }
    }

    @Test(
        "a publication follows another one of its organization, and a rollback follows the publication that it rolls back"
    )
    func constraints() async throws {
        try await withStore { test in
            let publication = try await made(test)
            let second = try await test.another("second")
            let foreign = try await made(second, "foreign")
            let (id, other) = (publication.id.uuid, foreign.id.uuid)
            let writes: [(SQL, String)] = [
                ("update publications set follows = \(other) where id = \(id)", "publication_follows_another"),
                ("update publications set follows = \(id) where id = \(id)", "publication_does_not_follow_itself"),
                ("update publications set reverts = \(other) where id = \(id)", "revert_follows_what_it_reverts"),
            ]
            for (write, constraint) in writes {
                let error = await #expect(throws: PostgresError.self) {
                    try await test.asSuperuser { try $0.execute(write) }
                }
                #expect(error?.constraint == constraint)
            }
        }
    }

    @Test("a publication for devices by a time reports how late it is, from one minute on")
    func late() async throws {
        let cases: [(secondsAgo: Double, wantsReach: Bool, late: ClosedRange<Int>?)] = [
            (-600, true, nil), (30, true, nil), (90, true, 90...150), (90, false, nil),
        ]
        for (number, (secondsAgo, wantsReach, late)) in cases.enumerated() {
            try await withStore { test in
                let host = try Host("host\(number).example.com")
                let made = try await test.write { tenant -> Publication in
                    try tenant.addVerified(host)
                    _ = try tenant.freezeSample(host)
                    var new = NewPublication(of: host, version: 1, report: Sample.report)
                    new.dueAt = try tenant.clock().addingTimeInterval(-secondsAgo)
                    if wantsReach { new.effectiveBy = new.dueAt?.addingTimeInterval(1_000_000) }
                    return try tenant.createPublication(new)
                }
                #expect((made.effectiveBy != nil) == wantsReach)
                func isRight(_ found: Int?) -> Bool { late.map { $0.contains(found ?? 0) } ?? (found == nil) }
                #expect(isRight(made.late), "\(number): \(made.late ?? 0)")
                let live = try await test.write { tenant in
                    let locked = try #require(try tenant.lockedPublication(made.id))
                    return try tenant.end(locked, as: .live, activation: 1)
                }
                #expect(isRight(live.late), "\(number): \(live.late ?? 0)")
                let event = try await test.write { tenant in
                    _ = try tenant.placeEvents()
                    return try tenant.newestEvents(Page(), EventFilter()).items.first
                }
                #expect(event?.kind == "publication.live")
                #expect(isRight(event?.detail["late"]?.number?.int))
                let cancelled = try await test.write { tenant in
                    let locked = try #require(try tenant.lockedPublication(made.id))
                    return try tenant.end(locked, as: .cancelled, cause: "x")
                }
                #expect(cancelled.late == nil)
            }
        }
    }
}

import AASA
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import Testing

@testable import Publishing

/// Scheduled publications, their followers and their rollbacks.
@Suite("Scheduled publications", .timeLimit(.minutes(3)))
struct FollowingTests {
    private static let other = "ABCDE12345.com.example.other"

    /// A whole second, this many hours from now.
    private func hours(_ hours: Double) -> Date {
        Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + hours * 3_600).rounded())
    }

    private func at(
        _ hours: Double, back: Double? = nil, version: Int? = nil, overrides: Bool = false
    ) -> Publisher.Request {
        Publisher.Request(
            version: version, reason: overrides ? "urgent" : nil, overrides: overrides,
            times: PublicationTimes(at: self.hours(hours), revertAt: back.map(self.hours)))
    }

    /// Makes a publication's time come, and runs the jobs that are due then.
    private func reach(_ publication: Publication, _ test: PublishingUnderTest) async throws {
        let id = publication.id.uuid
        try await test.asSuperuser { database in
            try database.execute("update publications set due_at = now() where id = \(id)")
            try database.execute("update jobs set due_at = now() where key = \(id)")
        }
        while try await test.worker.workOnce() {}
    }

    private func revert(of publication: Publication, _ test: PublishingUnderTest) async throws -> Publication {
        let id = try #require(publication.revertedBy)
        return try await test.read { try $0.publication(id, of: publication.host) }
    }

    private func liveVersion(_ host: Host, _ test: PublishingUnderTest) async throws -> Int? {
        try await test.read { try $0.domain(host).live?.version }
    }

    @Test("a publication waits for its time, and then makes the version live that was saved when it was made")
    func waiting() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            var request = at(1)
            request.times.zone = "Europe/Berlin"
            let made = try await test.publish(host, request)
            #expect((made.state, made.dueAt, made.zone) == (.scheduled, request.times.at, "Europe/Berlin"))
            try await test.draft(host, Sample.draft(path: "/later"))
            #expect(try await test.worker.workOnce() == false)
            #expect(try await test.now(made) == made)
            try await reach(made, test)
            #expect(try await test.now(made).state == .live)
            let live = try #require(try await test.read { try $0.domain(host).live })
            #expect(live.sha256 == digest(Sample.draft().association().bytes))
            #expect(try await test.steps(made).map(\.kind) == [.made, .claimed, .live])
        }
    }

    @Test("a scheduled publication must pass the gate when it is made")
    func judgedWhenMade() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.draft(host, Sample.draft(app: "no app ID"))
            let refusal = await #expect(throws: GateRefusal.self) { try await test.publish(host, at(1)) }
            #expect(refusal?.report.checks.filter { $0.outcome == .failed }.map(\.name) == [.lint])
        }
    }

    @Test("publishing now keeps later publications, which are suspended if another version is live by then")
    func moved() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let later = try await test.publish(host, at(1))
            try await test.goLive(host, path: "/2")
            #expect(try await test.now(later).state == .scheduled)
            try await reach(later, test)
            let ended = try await test.now(later)
            #expect(ended.state == .suspended)
            #expect(ended.cause?.contains("went live after it was created, under activation 2;") == true)
            #expect(try await liveVersion(host, test) == 3)
        }
    }

    @Test("a publication that overrides goes live even if another version is live by then")
    func overriding() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let later = try await test.publish(host, at(1, overrides: true))
            try await test.goLive(host, path: "/2")
            try await reach(later, test)
            #expect(try await test.now(later).state == .live)
        }
    }

    @Test("publishing now supersedes publications that are due and not yet live")
    func overdue() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let due = try await test.publish(host, at(1))
            let id = due.id.uuid
            try await test.asSuperuser { try $0.execute("update publications set due_at = now() where id = \(id)") }
            let newer = try await test.publish(host)
            #expect(try await test.now(due).state == .superseded)
            #expect(newer.follows == nil)
        }
    }

    @Test("if two publications are due in the same second, the newer supersedes the older")
    func sameSecond() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let request = at(1)
            let older = try await test.publish(host, request)
            let newer = try await test.publish(host, request)
            let ended = try await test.now(older)
            #expect((ended.state, ended.cause) == (.superseded, "a newer publication replaced it"))
            #expect((newer.state, newer.follows) == (.scheduled, nil))
            #expect(try await test.store.read { try $0.jobCount() } == 1)
        }
    }

    @Test(
        "a later publication follows the last pending one before it, is judged against its file, and expects its activation"
    )
    func following() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            try await test.draft(host, Sample.draft(app: Self.other))
            let first = try await test.publish(host, at(1, overrides: true))
            // Compared with the live version, an app would be missing.
            let second = try await test.publish(host, at(2))
            #expect((second.follows, second.madeAgainst) == (first.id, nil))
            #expect(second.report["checks"]?[6]?["detail"] == "Similar to the live file.")
            // Going back to the live app would lose the app that will be live by then.
            try await test.draft(host, Sample.draft(path: "/1"))
            await #expect(throws: GateRefusal.self) { try await test.publish(host, at(3)) }
            let between = try await test.publish(host, at(1.5, overrides: true))
            #expect(between.follows == first.id)

            #expect(try await test.store.read { try $0.jobCount() } == 1, "those that wait for another have no job")
            try await reach(first, test)
            let activation = try #require(try await test.now(first).activation)
            #expect(try await test.now(second).madeAgainst == activation)
            #expect(try await test.now(between).madeAgainst == activation)
            try await reach(between, test)
            #expect(try await test.now(between).state == .live)
            // It followed the first one, and another version has gone live since.
            try await reach(second, test)
            #expect(try await test.now(second).state == .suspended)
        }
    }

    @Test("a later publication follows one that is due now and not yet live")
    func followingAtOnce() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let first = try await test.publish(host)
            let second = try await test.publish(host, at(1))
            #expect(second.follows == first.id)
            #expect(try await test.worker.workOnce())
            try await reach(second, test)
            #expect(try await test.now(second).state == .live)
        }
    }

    /// The final states other than live.
    enum Way: String, CaseIterable, Sendable {
        case cancelled, superseded, suspended, failed
    }

    private func end(_ publication: Publication, _ way: Way, _ test: PublishingUnderTest) async throws {
        let host = publication.host
        switch way {
        case .cancelled:
            _ = try await test.write { try $0.cancelPublication(publication.id, of: host, reason: "not yet") }
        case .superseded:
            let times = PublicationTimes(at: publication.dueAt)
            _ = try await test.publish(host, Publisher.Request(version: 1, times: times))
        case .suspended:
            _ = try await test.write { try $0.activate($0.version(1, of: host), of: host, expecting: .anything) }
            try await reach(publication, test)
        case .failed:
            let id = publication.id.uuid
            for _ in 0...JobWorker.maximumAttempts {
                try await test.asSuperuser { try $0.execute("update jobs set due_at = now() where key = \(id)") }
                _ = try await test.store.write { try $0.claimJob(leaseSeconds: 0) }
            }
            #expect(try await test.worker.workOnce())
        }
        #expect(try await test.now(publication).state.rawValue == way.rawValue)
    }

    @Test(
        "when a publication does not go live, its followers are suspended, its rollback is cancelled, and so on",
        arguments: Way.allCases)
    func ending(way: Way) async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let first = try await test.publish(host, at(1, back: 4))
            let back = try await revert(of: first, test)
            let second = try await test.publish(host, at(2))
            let third = try await test.publish(host, at(3))
            let urgent = try await test.publish(host, at(5, overrides: true))
            #expect([second.follows, third.follows, back.follows] == [first.id, second.id, first.id])
            // The third goes live before the rollback, which will be suspended, so nothing waits for the rollback.
            #expect((back.reverts, urgent.follows) == (first.id, third.id))
            try await end(first, way, test)

            let cause = "version 2 did not go live"
            for (publication, state) in [(back, Publication.State.cancelled), (second, .suspended)] {
                let ended = try await test.now(publication)
                #expect(ended.state == state)
                #expect(ended.cause?.contains(cause) == true, "\(ended.cause ?? "")")
                #expect(try await test.steps(publication).map(\.kind.rawValue) == ["made", state.rawValue])
            }
            #expect(try await test.now(third).state == .suspended)
            #expect(try await test.now(urgent).state == .scheduled)
            try await reach(urgent, test)
            #expect(try await test.now(urgent).state == .live, "one that overrides goes on")
        }
    }

    @Test("a change is rolled back at its time, to the version that was live before")
    func reverting() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            try await test.draft(host, Sample.draft(app: Self.other))
            let made = try await test.publish(
                host,
                Publisher.Request(
                    reason: "a day of it", overrides: true, times: PublicationTimes(revertAt: hours(24))))
            let back = try await revert(of: made, test)
            #expect((back.version, back.message, back.reason) == (1, "Roll back to version 1", "a day of it"))
            #expect((back.follows, back.reverts, back.overrides) == (made.id, made.id, false))
            while try await test.worker.workOnce() {}
            #expect(try await liveVersion(host, test) == 2)
            try await reach(back, test)
            #expect(try await test.now(back).state == .live)
            #expect(try await liveVersion(host, test) == 1)
        }
    }

    @Test("a scheduled change is rolled back to the version that will be live before it")
    func revertingToPending() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let first = try await test.publish(host, at(1))
            try await test.draft(host, Sample.draft(path: "/2"))
            let second = try await test.publish(host, at(2, back: 3))
            let back = try await revert(of: second, test)
            #expect(back.version == first.version)
            for publication in [first, second, back] { try await reach(publication, test) }
            #expect(try await test.now(back).state == .live)
        }
    }

    @Test("the rollback alone can be cancelled, and the change stays")
    func stay() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let made = try await test.publish(host, at(1, back: 2))
            let back = try await revert(of: made, test)
            _ = try await test.write { try $0.cancelPublication(back.id, of: host) }
            #expect(try await test.now(made).state == .scheduled)
            try await reach(made, test)
            #expect(try await liveVersion(host, test) == made.version)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("a rollback to nothing is refused, and nothing is created")
    func nothingToGoBackTo() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let error = await #expect(throws: InvalidTimes.self) { try await test.publish(host, at(1, back: 2)) }
            #expect(error?.faults == [.nothingToGoBackTo])
            #expect(try await test.read { try $0.publications(host, Page()).items } == [])
            #expect(try await test.read { try $0.versions(host, Page()).items } == [])
        }
    }

    @Test("past times, times too far ahead or in the wrong order, and unknown zones are reported together")
    func invalid() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let cases: [(PublicationTimes, [InvalidTimes.Fault])] = [
                (PublicationTimes(at: hours(-1)), [.inThePast(field: "at")]),
                (PublicationTimes(at: hours(24 * 367)), [.tooFarAhead(field: "at")]),
                (PublicationTimes(revertAt: hours(-1)), [.revertBeforeChange]),
                (PublicationTimes(at: hours(2), revertAt: hours(1)), [.revertBeforeChange]),
                (PublicationTimes(at: hours(2), revertAt: hours(2)), [.revertBeforeChange]),
                (PublicationTimes(at: hours(2), revertAt: hours(24 * 367)), [.tooFarAhead(field: "revertAt")]),
                (PublicationTimes(at: hours(1), zone: "posix/Europe/Berlin"), [.unknownZone]),
                (PublicationTimes(at: hours(1), zone: "europe/berlin"), [.unknownZone]),
                (PublicationTimes(at: hours(1), zone: "Europe/"), [.unknownZone]),
                (PublicationTimes(at: hours(1), zone: "Europe/Berlin/Mitte/1"), [.unknownZone]),
                (PublicationTimes(at: hours(1), zone: "Europe/Bérlin"), [.unknownZone]),
                (PublicationTimes(at: hours(-1), zone: "EST+3"), [.inThePast(field: "at"), .unknownZone]),
            ]
            for (times, faults) in cases {
                let error = await #expect(throws: InvalidTimes.self) {
                    try await test.publish(host, Publisher.Request(times: times))
                }
                #expect(error?.faults == faults, "\(times)")
            }
        }
    }

    @Test("a zone is only for display, so PostgreSQL need not know it")
    func zones() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let zones = ["UTC", "Etc/GMT+3", "America/Port-au-Prince", "America/Indiana/Knox", "Europe/Atlantis"]
            for zone in zones {
                let made = try await test.publish(
                    host, Publisher.Request(times: PublicationTimes(at: hours(1), zone: zone)))
                #expect(made.zone == zone)
            }
        }
    }

    @Test("a domain has at most a hundred pending publications")
    func limit() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            _ = try await test.freeze(host)
            let times = (1...TenantTransaction.maximumPendingPublications).map { hours(Double($0)) }
            try await test.write { tenant in
                _ = try tenant.lockedDomain(host)
                for time in times {
                    var new = NewPublication(of: host, version: 1, report: ["passed": true])
                    new.dueAt = time
                    _ = try tenant.createPublication(new)
                }
            }
            await #expect(throws: StorageError.tooManyPublications) { try await test.publish(host, at(200)) }
            // One that replaces another does not add to the number.
            let last = PublicationTimes(at: times.last)
            _ = try await test.publish(host, Publisher.Request(times: last))
        }
    }
}

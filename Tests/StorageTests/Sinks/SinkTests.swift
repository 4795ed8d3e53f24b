import AASA
import FoundationEssentials
import Postgres
import Storage
import Testing

@Suite("Sinks")
struct SinkTests {
    private static let names = ["a.example.com", "b.example.com", "c.example.com"]

    /// Three live hosts, and an open sink.
    private func withSink(_ body: (StoreUnderTest, Sink) async throws -> Void) async throws {
        try await withStore { test in
            try await test.write { tenant in
                for name in Self.names {
                    try tenant.addVerified(Host(name))
                    _ = try tenant.goLive(Host(name))
                }
            }
            let sink = try await test.store.write { try $0.openSink("main", at: "https://one/") }
            try await body(test, sink)
        }
    }

    private func claim(_ sink: Sink, in test: StoreUnderTest) async throws -> [SinkObject] {
        try await test.store.write { try $0.claimObjects(of: sink, atMost: 100, leaseSeconds: 20) }
            .sorted { ($0.host, $0.path) < ($1.host, $1.path) }
    }

    /// Claims everything that is due and records it as up to date.
    @discardableResult
    private func settleAll(_ sink: Sink, in test: StoreUnderTest) async throws -> [SinkObject] {
        _ = try await test.store.write { try $0.queueChanges(of: sink) }
        let objects = try await claim(sink, in: test)
        try await test.store.write { installation in
            for object in objects { try installation.markCurrent(object, as: installation.want(of: object)) }
        }
        return objects
    }

    @Test("changes are queued page by page, each host at both paths, and none is missed")
    func pages() async throws {
        try await withSink { test, sink in
            var hosts: [[String]] = []
            for mayBeMore in [true, false, false] {
                #expect(try await test.store.write { try $0.queueChanges(of: sink, atMost: 2) } == mayBeMore)
                hosts.append(try await claim(sink, in: test).map(\.host))
            }
            let expected = [["a", "a", "b", "b"], ["c", "c"], []]
            #expect(hosts == expected.map { $0.map { "\($0).example.com" } })
        }
    }

    @Test("the hosts of a deleted organization end in a sink, also if another organization has verified one since")
    func deletedOrganization() async throws {
        try await withSink { test, sink in
            let before = try await settleAll(sink, in: test)
            try await test.write { tenant in
                _ = try tenant.requestDeletion(afterSeconds: 0)
                _ = try tenant.closeOrganization()
                while try !tenant.deleteSome(limit: 2) {}
            }
            let other = try await test.another("other")
            try await other.write { try $0.addVerified(Host("a.example.com")) }
            let after = try await settleAll(sink, in: test)
            #expect(after.map(\.host) == before.map(\.host))
            let wants = try await test.store.read { installation in try after.map { try installation.want(of: $0) } }
            for want in wants {
                #expect(want?.version == nil && want?.organization == nil)
                #expect(try #require(want?.activation) > 3)
            }
            try await other.write { _ = try $0.goLive(Host("a.example.com")) }
            let again = try await settleAll(sink, in: test)
            #expect(again.map(\.host) == ["a.example.com", "a.example.com"])
            let live = try await test.store.read { installation in try again.map { try installation.want(of: $0) } }
            #expect(live.allSatisfy { $0?.version == 1 && $0?.organization == other.organization })
        }
    }

    @Test("a newer change takes an object from its worker")
    func fence() async throws {
        try await withSink { test, sink in
            try await settleAll(sink, in: test)
            try await test.write { _ = try $0.goLive(Host("b.example.com"), path: "/2") }
            _ = try await test.store.write { try $0.queueChanges(of: sink) }
            let stale = try #require(try await claim(sink, in: test).first)
            try await test.write { _ = try $0.goLive(Host("b.example.com"), path: "/3") }
            _ = try await test.store.write { try $0.queueChanges(of: sink) }
            await #expect(throws: SinkObjectLost.self) { try await test.store.read { try $0.want(of: stale) } }
            await #expect(throws: SinkObjectLost.self) {
                try await test.store.write { try $0.markCurrent(stale, as: nil) }
            }
            let fresh = try await claim(sink, in: test)
            #expect(fresh.map(\.host) == ["b.example.com", "b.example.com"])
            #expect(try await test.store.read { try $0.want(of: fresh[0])?.version } == 3)
        }
    }

    @Test("a part of a listing changes nothing about hosts outside it")
    func parts() async throws {
        try await withSink { test, sink in
            try await settleAll(sink, in: test)
            let listing = try #require(try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 60) })
            var part = SystemTransaction.Listed()
            part.after = "a.example.com"
            part.last = "b.example.com"
            part.hosts = ["b.example.com", "foreign.example.com"]
            part.paths = [SinkObject.paths[0], SinkObject.paths[0]]
            part.marks = ["m", "m"]
            let foreign = try await test.store.write { [part] in try $0.compare(listing, with: part) }
            #expect(foreign == 1)
            let objects = try await settleAll(sink, in: test)
            #expect(objects.map(\.host) == ["b.example.com", "b.example.com"])
            part.paths = [SinkObject.paths[0], SinkObject.paths[1]]
            part.hosts = ["b.example.com", "b.example.com"]
            _ = try await test.store.write { [part] in try $0.compare(listing, with: part) }
            // The mark of the first object is known by now.
            #expect(try await claim(sink, in: test).map(\.path) == [SinkObject.paths[1]])
        }
    }

    @Test("a worker that has lost a listing changes nothing, and gets an error")
    func staleListing() async throws {
        try await withSink { test, sink in
            try await settleAll(sink, in: test)
            let stale = try #require(try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 0) })
            _ = try #require(try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 60) })
            let third = try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 60) }
            #expect(third == nil)
            _ = try await test.store.write { try $0.compare(stale, with: SystemTransaction.Listed()) }
            #expect(try await claim(sink, in: test).isEmpty)
            #expect(try await test.store.write { try $0.renew(stale, leaseSeconds: 60) } == false)
            await #expect(throws: SinkListingLost.self) {
                try await test.store.write { try $0.end(stale, cause: nil, nextInSeconds: 60) }
            }
        }
    }

    @Test("a renewed listing is not given to another worker")
    func renewing() async throws {
        try await withSink { test, sink in
            let listing = try #require(try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 0) })
            #expect(try await test.store.write { try $0.renew(listing, leaseSeconds: 60) })
            #expect(try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 60) } == nil)
            try await test.store.write { try $0.end(listing, cause: nil, nextInSeconds: 0) }
            #expect(try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 60) } != nil)
        }
    }

    @Test("a sink at another address starts empty, and users see the one that was opened last")
    func addresses() async throws {
        try await withSink { test, sink in
            try await settleAll(sink, in: test)
            let host = try Host("a.example.com")
            #expect(try await test.read { try $0.serving(of: host).buckets.map(\.state) } == [.current])
            let moved = try await test.store.write { try $0.openSink("main", at: "https://two/") }
            #expect(try await test.read { try $0.serving(of: host).buckets.map(\.state) } == [.behind])
            #expect(try await settleAll(moved, in: test).count == 6)
            let again = try await test.store.write { try $0.openSink("main", at: "https://one/") }
            #expect(again == sink)
        }
    }

    @Test("a sink that no worker has opened for 30 days is deleted in parts, and others are not")
    func forgotten() async throws {
        try await withSink { test, sink in
            try await settleAll(sink, in: test)
            let moved = try await test.store.write { try $0.openSink("main", at: "https://two/") }
            try await settleAll(moved, in: test)
            #expect(try await !test.store.write { try $0.forgetSinks() })
            try await test.asSuperuser {
                _ = try $0.execute(
                    "update sinks set seen_at = now() - interval '31 days' where address = 'https://one/'")
            }
            func objects() async throws -> [String: Int] {
                try await test.asSuperuser { database in
                    try database.query(
                        """
                        select address, count(host) as objects from sinks left join sink_objects on sink = id
                        group by address
                        """
                    ).reduce(into: [:]) {
                        $0[try $1.decode("address", as: String.self)] = try $1.decode("objects", as: Int.self)
                    }
                }
            }
            #expect(try await test.store.write { try $0.forgetSinks(atMost: 4) })
            #expect(try await objects() == ["https://one/": 2, "https://two/": 6])
            let again = try await test.store.write { try $0.openSink("main", at: "https://one/") }
            #expect(again == sink)
            #expect(try await settleAll(again, in: test).count == 6, "opened in the middle: all is looked at anew")
            try await test.asSuperuser {
                _ = try $0.execute(
                    "update sinks set seen_at = now() - interval '31 days' where address = 'https://one/'")
            }
            while try await test.store.write({ try $0.forgetSinks(atMost: 4) }) {}
            #expect(try await objects() == ["https://two/": 6])
        }
    }

    @Test("the failure of a whole sink is the cause of its waiting objects, until it is no longer reported")
    func failing() async throws {
        try await withSink { test, sink in
            let host = try Host("a.example.com")
            func bucket() async throws -> DomainServing.Bucket? {
                try await test.read { try $0.serving(of: host).buckets.first }
            }
            try await test.store.write { try $0.note(sink, failure: "the bucket cannot be reached") }
            #expect(try await bucket()?.state == .failing)
            #expect(try await bucket()?.cause == "the bucket cannot be reached")
            try await test.asSuperuser {
                _ = try $0.execute("update sinks set failed_at = now() - interval '1 minute'")
            }
            #expect(try await bucket()?.state == .behind)
            try await test.store.write { try $0.note(sink, failure: "the bucket cannot be reached") }
            try await settleAll(sink, in: test)
            #expect(try await bucket()?.state == .current)
            try await test.store.write { try $0.note(sink, failure: nil) }
            try await test.write { _ = try $0.goLive(host, path: "/2") }
            #expect(try await bucket()?.state == .behind)
        }
    }

    @Test("a host is behind since its first object was, even if the other one is current")
    func since() async throws {
        try await withSink { test, sink in
            let host = try Host("a.example.com")
            try await settleAll(sink, in: test)
            let changed = try await test.asSuperuser { database in
                try database.query(
                    """
                    update sink_objects set due_at = clock_timestamp(), behind_since = clock_timestamp()
                    where host = 'a.example.com' and path = \(SinkObject.paths[0])
                    returning behind_since
                    """
                ).first?.decode("behind_since", as: Date.self)
            }
            let bucket = try #require(try await test.read { try $0.serving(of: host).buckets.first })
            #expect((bucket.state, bucket.since) == (.behind, changed))
        }
    }

    @Test("a sink that cannot be listed reports the cause, and does not count as failing")
    func unlisted() async throws {
        try await withSink { test, sink in
            try await settleAll(sink, in: test)
            func bucket() async throws -> DomainServing.Bucket? {
                try await test.read { try $0.serving(of: Host("a.example.com")).buckets.first }
            }
            for cause in ["there is no such bucket", nil] {
                let listing = try #require(
                    try await test.store.write { try $0.claimListing(of: sink, leaseSeconds: 60) })
                try await test.store.write { try $0.end(listing, cause: cause, nextInSeconds: 0) }
                #expect(try await bucket()?.state == .current)
                #expect(try await bucket()?.listingCause == cause)
                #expect(try await bucket()?.cause == nil)
            }
        }
    }

    @Test("a repair is recorded only in the trail of the organization that has the host")
    func trail() async throws {
        try await withSink { test, sink in
            _ = try await test.store.write { try $0.queueChanges(of: sink) }
            let object = try #require(try await claim(sink, in: test).first)
            let want = try #require(try await test.store.read { try $0.want(of: object) })
            let other = try await test.another("other")
            await #expect(throws: SinkObjectLost.self) {
                try await other.write { try $0.markCurrent(object, as: want, repairing: ["bytes"]) }
            }
            try await test.write { try $0.markCurrent(object, as: want, repairing: ["bytes"]) }
            #expect(try await test.trail().last?.hasSuffix(" sink.repaired a.example.com") == true)
        }
    }
}

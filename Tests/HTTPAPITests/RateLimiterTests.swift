import Foundation
import HTTPTypes
import RawStructuredFieldValues
import Storage
import Synchronization
import TestSupport
import Testing

@testable import HTTPAPI

@Suite("Rate limits", .timeLimit(.minutes(3)))
struct RateLimiterTests {
    private let subject = UUID()
    /// A moment in the middle of a minute.
    private let now = 30.0

    private func limiter(_ quota: Int, maximum: Int = 100) -> RateLimiter {
        RateLimiter(.init(caller: quota, organization: quota, address: quota), maximum: maximum)
    }

    @Test("a client is admitted until its quota, and again in the next minute")
    func quota() {
        let limiter = limiter(3)
        let standings = (0..<5).map { _ in limiter.count(.caller, subject, at: now) }
        #expect(standings.map { $0?.isAdmitted } == [true, true, true, false, false])
        #expect(standings.map { $0?.left } == [2, 1, 0, 0, 0])
        #expect(standings.map { $0?.seconds } == [30, 30, 30, 30, 30])
        #expect(limiter.count(.caller, UUID(), at: now)?.isAdmitted == true)
        #expect(limiter.count(.organization, subject, at: now)?.isAdmitted == true)
        #expect(limiter.count(.caller, subject, at: 59.9)?.isAdmitted == false)
        #expect(limiter.count(.caller, subject, at: 60)?.left == 2)
        // A request that was late for the minute before.
        #expect(limiter.count(.caller, subject, at: 59.9)?.left == 1)
    }

    @Test("a quota of 0 means no limit, and counts nothing")
    func unlimited() {
        let limiter = limiter(0)
        #expect(limiter.count(.caller, subject, at: now) == nil)
        #expect(limiter.subjects(of: .caller) == 0)
    }

    @Test("many addresses neither fill the memory nor displace a client")
    func memory() {
        let limiter = limiter(5, maximum: 100)
        for _ in 0..<4 { _ = limiter.count(.address, subject, at: now) }
        var admitted = 0
        for _ in 0..<10_000 where limiter.count(.address, UUID(), at: now)?.isAdmitted == true { admitted += 1 }
        #expect(limiter.subjects(of: .address) == 101)
        #expect(admitted == 99 + 5, "further addresses share one count")
        #expect(limiter.count(.address, subject, at: now)?.isAdmitted == true)
        #expect(limiter.count(.address, subject, at: now)?.isAdmitted == false)
    }

    @Test("processes exchange the counts of busy clients; without the database each counts alone")
    func exchange() async throws {
        try await withInstallation { installation in
            let limiters = [limiter(160), limiter(160)]
            let exchanges = limiters.map {
                RateExchange(store: installation.store, limiter: $0, logger: TestCluster.silent)
            }
            func admit(_ count: Int, by limiter: RateLimiter) -> Int {
                (0..<count).count { _ in limiter.count(.caller, subject)?.isAdmitted == true }
            }
            // Stay within one minute.
            while Int(Date().timeIntervalSince1970) % 60 > 50 { try await Task.sleep(for: .seconds(1)) }
            #expect(admit(10, by: limiters[0]) == 10)
            #expect(limiters[0].begin().counts == [], "a client with few requests is not exchanged")
            #expect(admit(90, by: limiters[0]) == 90)
            // A failed exchange loses nothing.
            let (minute, counts) = limiters[0].begin()
            #expect(counts.map(\.requests) == [100])
            limiters[0].finish(counts, with: nil, in: minute)
            #expect(limiters[0].begin().counts.map(\.requests) == [100])
            limiters[0].finish(counts, with: nil, in: minute)
            #expect(admit(50, by: limiters[1]) == 50)
            for exchange in exchanges { _ = try await exchange.exchange() }
            #expect(admit(100, by: limiters[1]) == 10, "100 requests were admitted by the other process")
            #expect(admit(100, by: limiters[0]) == 60, "it has not learned of the others' requests yet")
            for exchange in exchanges + exchanges { _ = try await exchange.exchange() }
            #expect(admit(1, by: limiters[0]) == 0)
            #expect(admit(1, by: limiters[1]) == 0)
            try await installation.store.write { try $0.forgetRateCounts(before: minute) }
            let kept = try await installation.store.write { system in
                try system.add([RateCount(policy: "caller", subject: subject, requests: 0)], in: minute)
            }
            #expect(kept.map(\.requests) == [220])
            try await installation.store.write { try $0.forgetRateCounts(before: minute + 1) }
            let none = try await installation.store.write { system in
                try system.add([RateCount(policy: "caller", subject: subject, requests: 0)], in: minute)
            }
            #expect(none.map(\.requests) == [0])
        }
    }

    /// The items of a structured field: each name with its parameters.
    private func items(_ field: String?) throws -> [String: [String: Int]] {
        var parser = StructuredFieldValueParser(Array(try #require(field).utf8))
        var items: [String: [String: Int]] = [:]
        for case .item(let item) in try parser.parseListFieldValue() {
            guard case .string(let name) = item.rfc9651BareItem else { continue }
            items[name] = [:]
            for (key, value) in item.rfc9651Parameters {
                if case .integer(let number) = value { items[name]?[key] = Int(number) }
            }
        }
        return items
    }

    @Test("answers and problems have the fields of the draft, as structured fields")
    func fields() async throws {
        try await withInstallation { installation in
            let token = try installation.token(.viewer)
            for path in ["/v1/teams", "/v1/teams/ABCDE12345", "/v1/teams?limit=0"] {
                let reply = try await installation.api.ask(.get, path, token: token)
                let policies = try items(reply["RateLimit-Policy"])
                #expect(
                    policies == ["caller": ["q": 60_000, "w": 60], "organization": ["q": 240_000, "w": 60]], "\(path)")
                let limits = try items(reply["RateLimit"])
                #expect(limits.keys.sorted() == ["caller", "organization"])
                #expect((59_000..<60_000).contains(try #require(limits["caller"]?["r"])))
                #expect((1...60).contains(try #require(limits["caller"]?["t"])))
            }
            let visit = try await installation.api.ask(.get, "/v1/teams")
            #expect(try items(visit["RateLimit-Policy"]) == ["address": ["q": 12_000, "w": 60]])
            #expect(try await installation.api.ask(.get, "/livez")["RateLimit"] == nil)
        }
    }
}

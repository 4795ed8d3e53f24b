import AASA
import FoundationEssentials
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import Storage

/// The audit trail's chain of digests, its checkpoints, and the request of each entry.
@Suite("Audit trail", .timeLimit(.minutes(3)))
struct AuditTrailTests {
    private static let signing: AuditSigning = { message in
        ("0123456789abcdef", Array(digest(message) + digest(message)))
    }

    private func addTeam(_ number: Int, to store: StoreUnderTest) async throws {
        _ = try await store.write { try $0.createTeam(TeamID("TEAM00\(number)"), name: "a") }
    }

    private func seal(_ store: StoreUnderTest) async throws -> AuditCheckpoint? {
        try await store.write { try $0.sealTrail(Self.signing) }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The digests were computed with `sha256sum`. If this test fails, exports of earlier versions can no longer be
    /// verified.
    @Test("the chain never changes")
    func chain() {
        var chain = AuditChain(of: "00000000-0000-0000-0000-000000000001")
        #expect(chain.position == 0)
        #expect(hexadecimal(chain.digest) == "5987b3daf40c8a2cd76964c2c75a6ebdf54cb9954ee8b8ea63ed46dad6e6c2dd")
        chain.add(#"{"position":1}"#.utf8)
        #expect(chain.position == 1)
        #expect(hexadecimal(chain.digest) == "1d78ad6a5cca3c3b00acdfa0b5c796b3da09eee8c219c766cffed84a4d7b6745")
        #expect(
            AuditCheckpoint.message(about: chain, at: "2026-01-02T03:04:05.000006Z", in: "o")
                == Array(
                    """
                    waymark audit checkpoint
                    o
                    1
                    1d78ad6a5cca3c3b00acdfa0b5c796b3da09eee8c219c766cffed84a4d7b6745
                    2026-01-02T03:04:05.000006Z

                    """.utf8))
    }

    @Test("the line of an entry never changes")
    func line() async throws {
        try await withStore { store in
            let origin = RequestOrigin(requestID: "r-1", address: "192.0.2.1", reason: "a \"good\" reason")
            try await RequestOrigin.$current.withValue(origin) { try await addTeam(1000, to: store) }
            _ = try await seal(store)
            let stretch = try #require(try await store.read { try $0.trail(after: 0) })
            let line = try #require(stretch.lines.last)
            let time = try #require(line.firstMatch(of: /"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)"/)).1
            let author = StoreUnderTest.author
            #expect(
                line
                    == #"{"position":\#(stretch.lines.count),"at":"\#(time)","actor":{"kind":"\#(author.kind.rawValue)","#
                    + #""name":"\#(author.name)"},"kind":"team.created","subject":"TEAM001000","host":null,"act":null,"#
                    + #""reason":"a \"good\" reason","request":"r-1","address":"192.0.2.1","detail":{"name":"a"}}"#)
        }
    }

    @Test("a checkpoint covers the lines of the export, and each starts where the last one ended")
    func checkpoints() async throws {
        try await withStore { store in
            for number in 1000...1004 { try await addTeam(number, to: store) }
            let first = try #require(try await seal(store))
            #expect(try await seal(store) == nil, "there is nothing new")
            try await addTeam(1005, to: store)
            let second = try #require(try await seal(store))
            var chain = AuditChain(of: store.organization.description)
            let stretch = try #require(try await store.read { try $0.trail(after: 0) })
            #expect(stretch.start == chain)
            for line in stretch.lines { chain.add(line.utf8) }
            #expect(stretch.end == second && second.chain == chain)
            let rest = try #require(try await store.read { try $0.trail(after: first.chain.position) })
            #expect(rest.start == first.chain && rest.lines.count == 1 && rest.end == second)
            #expect(try await store.read { try $0.trail(after: first.chain.position - 1) } == nil)
            let end = try #require(try await store.read { try $0.trail(after: second.chain.position) })
            #expect(end.lines.isEmpty && end.end == nil)
        }
    }

    @Test("a long trail has a checkpoint at least every 2,000 entries, and is read from one to the next")
    func length() async throws {
        try await withStore { store in
            let organization = store.organization.uuid
            try await store.asSuperuser { database in
                try database.execute(
                    """
                    insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
                    select \(organization), 'user', 'u', 'team.created', n::text, '{}' from generate_series(1, 4500) as n
                    """)
            }
            var sealed: [Int64] = []
            while let made = try await seal(store) { sealed.append(made.chain.position) }
            #expect(sealed == [2_000, 4_000, 4_501])
            var (chain, lines) = (AuditChain(of: store.organization.description), 0)
            while true {
                let position = chain.position
                let stretch = try #require(try await store.read { try $0.trail(after: position) })
                #expect(stretch.start == chain && stretch.lines.count <= 2_000)
                guard let end = stretch.end else { break }
                for line in stretch.lines { chain.add(line.utf8) }
                #expect(end.chain == chain)
                lines += stretch.lines.count
            }
            #expect(lines == 4_501)
        }
    }

    @Test("writers and sealers at the same time leave one unbroken chain")
    func concurrency() async throws {
        try await withStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<3 {
                    group.addTask { for number in 0..<10 { try await addTeam(1000 + writer * 10 + number, to: store) } }
                }
                for _ in 0..<2 { group.addTask { for _ in 0..<10 { _ = try await seal(store) } } }
                try await group.waitForAll()
            }
            while try await seal(store) != nil {}
            var chain = AuditChain(of: store.organization.description)
            var (teams, hasMore) = (0, true)
            while hasMore {
                let position = chain.position
                let stretch = try #require(try await store.read { try $0.trail(after: position) })
                #expect(stretch.start == chain)
                for line in stretch.lines {
                    chain.add(line.utf8)
                    if line.contains("team.created") { teams += 1 }
                }
                if let end = stretch.end { #expect(end.chain == chain) }
                hasMore = stretch.end != nil
            }
            #expect(teams == 30)
        }
    }

    @Test("an organization is noted as unsealed when its events are numbered, until they have a checkpoint")
    func notes() async throws {
        try await withStore { store in
            func unsealed() async throws -> Bool {
                try await store.store.read { try $0.organizationsWithUnsealedTrails() }.contains(store.organization)
            }
            try await addTeam(1000, to: store)
            _ = try await store.write { try $0.placeNotedEvents() }
            #expect(try await unsealed())
            _ = try await seal(store)
            _ = try await seal(store)
            #expect(try await !unsealed())
        }
    }

    @Test("the runtime role cannot prune, even with the setting of the command that does")
    func pruning() async throws {
        try await withStore { store in
            try await addTeam(1000, to: store)
            _ = try await seal(store)
            try await addTeam(1001, to: store)
            let error = await #expect(throws: PostgresError.self) {
                _ = try await store.write { try $0.pruneTrail(before: .now + 60) }
            }
            #expect(error?.sqlState == "23001")
        }
    }
}

import AASA
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Versions")
struct VersionTests {
    private let host = Result { try Host("www.example.com") }

    @Test("versions, their bytes and the trail are never changed or deleted, not even by the owner")
    func immutable() async throws {
        let host = try host.get()
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host)
            }
            let tables = ["versions", "blobs", "audit_entries"]
            for table in tables {
                let changes: [SQL] = [
                    "update \(identifier: table) set organization_id = organization_id",
                    "delete from \(identifier: table)",
                ]
                for pool in [test.database.runtime, test.database.owner] {
                    for change in changes {
                        let error = await #expect(throws: PostgresError.self) {
                            try await pool.write(as: test.organization.uuid) { try $0.execute(change) }
                        }
                        #expect(error?.sqlState == "23001", "\(change)")
                        #expect(error?.constraint == "\(table)_are_kept")
                    }
                }
                let truncation = await #expect(throws: PostgresError.self) {
                    try await test.database.owner.write { try $0.execute("truncate \(identifier: table) cascade") }
                }
                #expect(truncation?.sqlState == "23001", "truncate \(table)")
            }
        }
    }

    @Test("saving twenty versions at once gives numbers without gaps, even if others fail")
    func numbers() async throws {
        struct ChangeOfMind: Error {}
        let host = try host.get()
        try await withStore(connections: 12) { test in
            try await test.write { try $0.addVerified(host) }
            let numbers = await withTaskGroup(of: Int?.self) { group in
                for attempt in 0..<30 {
                    group.addTask {
                        try? await test.write { tenant in
                            let version = try tenant.freezeSample(host, path: "/\(attempt)")
                            if attempt.isMultiple(of: 3) { throw ChangeOfMind() }
                            return version.number
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(numbers.compactMap(\.self).sorted() == Array(1...20))
            let listed = try await test.read { try $0.versions(host, Page(limit: 200)).items }
            #expect(listed.map(\.number) == Array((1...20).reversed()))
            #expect(Set(listed.map(\.sha256)).count == 20)
        }
    }

    @Test("equal bytes are stored once, and every version returns exactly its bytes")
    func bytes() async throws {
        let host = try host.get()
        try await withStore { test in
            let versions = try await test.write { tenant in
                try tenant.addVerified(host)
                return [try tenant.freezeSample(host), try tenant.freezeSample(host, path: "/b")]
                    + [try tenant.freezeSample(host)]
            }
            #expect(versions.map(\.number) == [1, 2, 3])
            #expect(versions[0].sha256 == versions[2].sha256)
            #expect(versions[0].sha256 == digest(Sample.file()))
            #expect(try await test.read { try $0.file(ofVersion: 3, of: host) } == Sample.file())
            #expect(try await test.read { try $0.blob(versions[1].sha256) } == Sample.file(path: "/b"))
            let blobs = try await test.asSuperuser { try $0.query("select 1 from blobs").count }
            #expect(blobs == 2)
        }
    }

    @Test("a file of 131,072 bytes is saved, and a larger one is not")
    func size() async throws {
        let host = try host.get()
        try await withStore { test in
            try await test.write { try $0.addVerified(host) }
            func freeze(_ size: Int) async throws -> Version {
                try await test.write { tenant in
                    try tenant.freeze(
                        Array(repeating: 0x20, count: size), of: host, draftRevision: 1, message: "",
                        report: Sample.report)
                }
            }
            #expect(try await freeze(131_072).number == 1)
            let error = await #expect(throws: PostgresError.self) { try await freeze(131_073) }
            #expect(error?.constraint == "blob_is_small_enough")
        }
    }

    @Test("bytes that do not match their digest are refused")
    func digests() async throws {
        try await withStore { test in
            let error = await #expect(throws: PostgresError.self) {
                try await test.database.runtime.write(as: test.organization.uuid) { db in
                    try db.execute(
                        "insert into blobs (sha256, bytes) values (\(digest([1])), \(Array("{}".utf8)))")
                }
            }
            #expect(error?.constraint == "blob_is_what_its_digest_says")
        }
    }

    @Test("only a version that was live counts as one to roll back to")
    func beenLive() async throws {
        let host = try host.get()
        try await withStore { test in
            let publication = try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host, path: "/1")
                _ = try tenant.freezeSample(host, path: "/2")
                return try tenant.createPublication(NewPublication(of: host, version: 2, report: Sample.report))
            }
            #expect(try await test.read { try $0.hasBeenLive(version: 2, of: host) } == false)
            try await test.write { tenant in
                let version = try tenant.version(2, of: host)
                guard case .done(let activation) = try tenant.activate(version, of: host, expecting: .activation(nil))
                else { return }
                _ = try tenant.end(publication, as: .live, activation: activation)
            }
            #expect(try await test.read { try $0.hasBeenLive(version: 2, of: host) })
            #expect(try await test.read { try $0.hasBeenLive(version: 1, of: host) } == false)
            #expect(try await test.read { try $0.version(2, of: host).isLive })
            #expect(try await test.read { try $0.version(1, of: host).isLive } == false)
        }
    }

    @Test("an alias's own version is not live when its target's version with the same number is")
    func versionsOfAnAlias() async throws {
        let host = try host.get()
        let alias = try Host("alias.example.com")
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                try tenant.addVerified(alias)
                _ = try tenant.freezeSample(alias, path: "/own")
                _ = try tenant.goLive(host)
                _ = try tenant.updateDomain(alias, aliasOf: host, labels: [], as: .publisher)
            }
            #expect(try await test.read { try $0.version(1, of: host).isLive })
            #expect(try await test.read { try $0.version(1, of: alias).isLive } == false)
        }
    }
}

import AASA
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import Storage

@Suite("Remembered drafts", .timeLimit(.minutes(3)))
struct DraftMemoryTests {
    @Test("a draft that was read or written is not parsed again, on any domain")
    func remembering() async throws {
        let (host, other) = (try Host("www.example.com"), try Host("other.example.com"))
        try await withStore { test in
            let written = try await test.write { tenant in
                _ = try tenant.createDomain(host)
                _ = try tenant.createDomain(other)
                let old = try tenant.lockedDraft(host, expecting: nil)
                return try tenant.saveDraft(Sample.draft(), of: host, replacing: old).contents
            }
            let read = try await test.read { try $0.draft(host).contents }
            #expect(read === written)
            let same = try await test.write { tenant in
                let old = try tenant.lockedDraft(other, expecting: nil)
                return try tenant.saveDraft(Sample.draft(), of: other, replacing: old).contents
            }
            #expect(same === written)
            let changed = try await test.write { tenant in
                let old = try tenant.lockedDraft(host, expecting: nil)
                return try tenant.saveDraft(Sample.draft(path: "/other"), of: host, replacing: old).contents
            }
            #expect(changed !== written)
            #expect(changed.file.bytes == Sample.draft(path: "/other").association().bytes)
            #expect(changed.file.sha256 == digest(changed.file.bytes))
        }
    }

    @Test("a draft above the limits is not saved, because nobody could read it again")
    func limits() async throws {
        let host = try Host("www.example.com")
        let entries = (0...1_000).map { #"{"appIDs":["ABCDE12345.com.example.app\#($0)"],"components":[]}"# }
        let file = #"{"applinks":{"details":["# + entries.joined(separator: ",") + "]}}"
        var count = 0
        let (draft, _) = Draft.importing(try Association(parsing: Array(file.utf8))) {
            count += 1
            return "id\(count)"
        }
        try await withStore { test in
            _ = try await test.write { try $0.createDomain(host) }
            await #expect(throws: JSONFaults.self) {
                try await test.write { tenant in
                    let old = try tenant.lockedDraft(host, expecting: nil)
                    _ = try tenant.saveDraft(draft, of: host, replacing: old)
                }
            }
            #expect(try await test.read { try $0.draft(host).draft } == Draft())
        }
    }

    @Test("a change that is rolled back is forgotten")
    func rollback() async throws {
        struct Undone: Error {}
        let host = try Host("www.example.com")
        try await withStore { test in
            _ = try await test.write { try $0.createDomain(host) }
            await #expect(throws: Undone.self) {
                try await test.write { tenant in
                    let old = try tenant.lockedDraft(host, expecting: nil)
                    _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
                    throw Undone()
                }
            }
            let read = try await test.read { try $0.draft(host) }
            #expect(read.draft == Draft())
            #expect(read.revision == 1)
        }
    }

    @Test("a document that was changed by SQL is read again")
    func changedElsewhere() async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            try await test.write { tenant in
                _ = try tenant.createDomain(host)
                let old = try tenant.lockedDraft(host, expecting: nil)
                _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
            }
            #expect(try await test.read { try $0.draft(host).draft } == Sample.draft())
            try await test.asSuperuser { database in
                try database.execute(
                    """
                    update drafts
                    set document = replace(document::text, '"rule"', '"another"')::json, file_size = 100000
                    """)
            }
            #expect(try await test.read { try $0.draft(host).draft.allRules.map(\.rule.id) } == ["another"])
            let first = try await test.read { try $0.draft(host).contents }
            #expect(try await test.read { try $0.draft(host).contents } === first)
        }
    }

    @Test("findings follow the apps that are registered")
    func findings() throws {
        let contents = DraftContents(Sample.draft())
        let unknown = contents.report(registered: [])
        let known = contents.report(registered: [try AppID("ABCDE12345.com.example.app")])
        #expect(unknown.findings.count > known.findings.count)
        #expect(contents.report(registered: []) == unknown)
    }

    @Test("values that were not used for longest are forgotten, by number and by bytes")
    func bounds() {
        let memory = DigestMemory<Int>(maximumValues: 8, maximumBytes: 1_000)
        for number in 0..<8 { _ = memory.keep(number, of: [UInt8(number)], bytes: 100) }
        #expect(memory.size == (8, 800))
        _ = memory.value(of: [0])
        _ = memory.keep(8, of: [8], bytes: 100)
        #expect(memory.size.values <= 8)
        #expect(memory.value(of: [0]) == 0)
        #expect(memory.value(of: [1]) == nil)
        #expect(memory.value(of: [8]) == 8)
        for number in 20..<200 {
            _ = memory.keep(number, of: [UInt8(number)], bytes: 200)
            #expect(memory.size.bytes <= 1_000 && memory.size.values <= 8)
        }
        #expect(memory.value(of: [199]) == 199)
        // A value that would take much of the memory is not kept. The first value of a digest is kept.
        #expect(memory.keep(500, of: [250], bytes: 300) == 500)
        #expect(memory.value(of: [250]) == nil)
        #expect(memory.keep(501, of: [199], bytes: 10) == 199)
    }
}

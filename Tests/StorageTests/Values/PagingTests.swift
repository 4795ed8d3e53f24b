import AASA
import Postgres
import Storage
import Testing

/// Lists are read page by page while others write. Every item that exists from the first to the last page is returned
/// exactly once and in order.
@Suite("Paging")
struct PagingTests {
    /// Reads a list to its end. `between` runs after every page.
    private func all<Item: Sendable>(
        limit: Int, between: (Int) async throws -> Void = { _ in },
        _ read: (Page) async throws -> Listing<Item>
    ) async throws -> [Item] {
        var items: [Item] = []
        var after: String?
        for number in 0..<200 {
            let listing = try await read(Page(limit: limit, after: after))
            #expect(listing.items.count <= limit)
            items += listing.items
            guard let next = listing.next else { return items }
            #expect(listing.items.count == limit, "a page before the last is full")
            after = next
            try await between(number)
        }
        Issue.record("a list without end")
        return items
    }

    private func letters(_ number: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number / 26)))
            + String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    }

    @Test(
        "teams, apps and domains are listed by their keys, each once, whatever is added meanwhile",
        arguments: [1, 4, 25, 26])
    func byKey(limit: Int) async throws {
        try await withStore { test in
            let names = (0..<25).map { letters($0 * 20) }
            try await test.write { tenant in
                let team = try TeamID("ABCDE12345")
                _ = try tenant.createTeam(team, name: "t")
                for name in names {
                    _ = try tenant.createApp(AppID(prefix: team, bundleID: BundleID(name)), teamID: team, name: name)
                    _ = try tenant.createDomain(Host("\(name).example.com"))
                    _ = try tenant.createTeam(TeamID("TEAM0000" + name.uppercased()), name: name)
                }
            }
            let add: @Sendable (Int) async throws -> Void = { round in
                guard round < 8 else { return }
                // Before all others and after all others.
                for name in ["aa\(letters(round))", "zz\(letters(round))"] {
                    try await test.write { tenant in
                        _ = try tenant.createDomain(Host("\(name).example.com"))
                        let team = try TeamID("ABCDE12345")
                        _ = try tenant.createApp(
                            AppID(prefix: team, bundleID: BundleID(name)), teamID: team, name: name)
                    }
                }
            }
            let domains = try await all(limit: limit, between: add) { page in
                try await test.read { try $0.domains(page) }
            }.map(\.host.description)
            #expect(domains == domains.sorted())
            #expect(domains.filter { $0.utf8.count == 14 } == names.map { "\($0).example.com" })
            let apps = try await all(limit: limit) { page in try await test.read { try $0.apps(page) } }
            #expect(apps.filter { $0.name.utf8.count == 2 }.map(\.name) == names)
            let teams = try await all(limit: limit) { page in try await test.read { try $0.teams(page) } }
            #expect(teams.map(\.name) == ["t"] + names)
        }
    }

    @Test(
        "versions and publications are listed newest first, each once, whatever is added meanwhile",
        arguments: [1, 4, 12])
    func newestFirst(limit: Int) async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            let add: @Sendable (Int) async throws -> Void = { _ in
                try await test.write { tenant in
                    let version = try tenant.freezeSample(host)
                    _ = try tenant.createPublication(
                        NewPublication(of: host, version: version.number, report: Sample.report))
                }
            }
            try await test.write { try $0.addVerified(host) }
            // All of the first organization's rows in one transaction, so that `now()` is the same for them.
            try await test.write { tenant in
                for number in 1...12 {
                    _ = try tenant.freezeSample(host)
                    _ = try tenant.createPublication(NewPublication(of: host, version: number, report: Sample.report))
                }
            }
            let expected = Array((1...12).reversed())
            let versions = try await all(limit: limit, between: add) { page in
                try await test.read { try $0.versions(host, page) }
            }
            #expect(versions.map(\.number) == expected)
            let before = try await test.read { try $0.publications(host, Page(limit: 200)).items.map(\.id) }
            let publications = try await all(limit: limit, between: add) { page in
                try await test.read { try $0.publications(host, page) }
            }
            #expect(publications.map(\.id) == before)
            #expect(publications.filter { $0.version <= 12 }.map(\.version) == expected)
        }
    }

    @Test("a page has 1 to 200 items, and 50 by default")
    func limits() {
        #expect(Page().limit == 50)
        #expect([-5, 0, 1, 200, 201, Int.max].map { Page(limit: $0).limit } == [1, 1, 1, 200, 200, 200])
    }

    @Test("lists of an unknown domain, and keys of another list, are refused")
    func strange() async throws {
        let host = try Host("www.example.com")
        try await withStore { test in
            await #expect(throws: StorageError.notFound(kind: "domain", key: host.description)) {
                try await test.read { try $0.versions(host, Page()) }
            }
            await #expect(throws: StorageError.notFound(kind: "domain", key: host.description)) {
                try await test.read { try $0.publications(host, Page()) }
            }
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host)
            }
            for key in ["", "x", "99999999999999999999", "' or true", String(repeating: "9", count: 400)] {
                let page = Page(after: key)
                await #expect(throws: Never.self) {
                    try await test.read { _ = try ($0.teams(page), $0.apps(page), $0.domains(page)) }
                }
                let lists: [@Sendable (TenantTransaction) throws -> Void] = [
                    { _ = try $0.versions(host, page) }, { _ = try $0.tests(host, page) },
                    { _ = try $0.newestEvents(page) }, { _ = try $0.publications(host, page) },
                    { _ = try $0.domains(page, sortedBy: .changed) }, { _ = try $0.releases(page) },
                    { _ = try $0.freezes(page) },
                    { _ = try $0.withdrawals(host, page) },
                    { _ = try $0.replacements(of: AppID("ABCDE12345.com.example.app"), page) },
                ]
                for list in lists {
                    await #expect(throws: StorageError.keyOfAnotherList) { try await test.read(list) }
                }
            }
        }
    }

    @Test("a search finds its text literally, including percent, underscore and backslash")
    func search() async throws {
        let names = ["50% off", "50 off", "a_b", "axb", #"back\slash"#, "backslash", "%\u{301}", "Größe"]
        try await withStore { test in
            try await test.write { tenant in
                let team = try TeamID("ABCDE12345")
                _ = try tenant.createTeam(team, name: "t")
                for (number, name) in names.enumerated() {
                    _ = try tenant.createApp(AppID("ABCDE12345.com.n\(number)"), teamID: team, name: name)
                }
            }
            for (text, found) in [
                ("50%", ["50% off"]), ("a_b", ["a_b"]), (#"\s"#, [#"back\slash"#]), (#"k\s"#, []),
                ("%\u{301}", ["%\u{301}"]),
                ("%", ["50% off", "%\u{301}"]), ("_", ["a_b"]), ("BACKS", ["backslash"]), ("n3", ["axb"]),
                ("slash", [#"back\slash"#]), ("3", ["axb"]), (".N3", ["axb"]),
                ("größe", ["Größe"]),
                ("nothing", []),
            ] {
                let listed = try await test.read { try $0.apps(Page(), search: text).items.map(\.name) }
                #expect(Set(listed) == Set(found), "searching for \(text)")
            }
        }
    }

    @Test("domains are found by the words of the host, by label and by state")
    func filters() async throws {
        let (www, shop, staging) = (
            try Host("www.example.com"), try Host("shop.example.com"), try Host("staging.example.org")
        )
        try await withStore { test in
            try await test.write { tenant in
                _ = try tenant.createDomain(www, labels: ["brand-a"])
                _ = try tenant.claim(www)
                _ = try tenant.goLive(www)
                _ = try tenant.createDomain(shop, aliasOf: www, labels: ["brand-a", "brand-b"], as: .publisher)
                _ = try tenant.createDomain(staging, labels: ["staging"])
            }
            func hosts(_ search: String? = nil, _ label: String? = nil, _ state: Domain.State? = nil) async throws
                -> [Host]
            {
                try await test.read {
                    try $0.domains(Page(), DomainFilter(search: search, label: label, state: state)).items.map(\.host)
                }
            }
            #expect(try await hosts() == [shop, staging, www])
            #expect(try await hosts("example.com") == [shop, www])
            #expect(try await hosts("example_com") == [])
            #expect(try await hosts("com") == [shop, www])
            #expect(try await hosts(".com") == [shop, www])
            #expect(try await hosts("hop") == [])
            #expect(try await hosts("-shop") == [])
            #expect(try await hosts(".") == [shop, staging, www])
            #expect(try await hosts(nil, "brand-a") == [shop, www])
            #expect(try await hosts(nil, "brand") == [])
            #expect(try await hosts("s", "brand-a", .alias) == [shop])
            #expect(try await hosts(nil, nil, .unverified) == [staging])
            #expect(try await hosts(nil, nil, .changed) == [www])
            #expect(try await hosts(nil, nil, .live) == [])
        }
    }
}

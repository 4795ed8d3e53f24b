import AASA
import Postgres
import Storage
import Testing

/// Each alias that goes live or ends adds an entry, whatever the cause.
@Suite("Events of aliases")
struct AliasEventTests {
    private let target = Result { try Host("target.example.com") }
    private let alias = Result { try Host("alias.example.com") }

    /// The entries about aliases, newest last.
    private func entries(_ test: StoreUnderTest) async throws -> [String] {
        let organization = test.organization.uuid
        return try await test.asSuperuser { database in
            try database.query(
                """
                select concat_ws(' ', action, host, detail ->> 'aliasOf', detail ->> 'version', detail ->> 'activation')
                  as line
                from audit_entries where organization_id = \(organization) and action like 'alias.%' order by id
                """
            ).map { try $0.decode("line", as: String.self) }
        }
    }

    @Test(
        "an alias has an event when it joins, is verified, follows a publication, and ends on its own or with its domain"
    )
    func all() async throws {
        let (target, alias) = (try target.get(), try alias.get())
        try await withStore { test in
            func expect(_ entry: String) async throws {
                expected.append(entry)
                #expect(try await entries(test) == expected)
            }
            func withdraw(_ host: Host) async throws {
                try await test.write { tenant in
                    let made = try tenant.createWithdrawal(of: host, reason: "over", graceSeconds: 60)
                    _ = try tenant.withdraw(made)
                }
            }
            var expected: [String] = []
            try await test.write { tenant in
                try tenant.addVerified(target)
                try tenant.addVerified(alias)
                _ = try tenant.goLive(target, path: "/1")
            }
            #expect(try await entries(test) == [])
            _ = try await test.write { try $0.updateDomain(alias, aliasOf: target, labels: [], as: .publisher) }
            try await expect("alias.live \(alias) \(target) 1 2")
            let trail = try await test.trail().suffix(2).map { $0.split(separator: " ")[2] }
            #expect(trail == ["domain.changed", "alias.live"], "what follows from a change comes after it")
            _ = try await test.write { try $0.goLive(target, path: "/2") }
            try await expect("alias.live \(alias) \(target) 2 3")
            try await withdraw(alias)
            try await expect("alias.ended \(alias) \(target) 5")
            _ = try await test.write { try $0.goLive(target, path: "/3") }
            #expect(try await entries(test) == expected, "it is left out")
            _ = try await test.write { try $0.claim(alias) }
            try await expect("alias.live \(alias) \(target) 3 7")
            try await withdraw(target)
            try await expect("alias.ended \(alias) \(target) 8")
            _ = try await test.write { try $0.updateDomain(alias, aliasOf: nil, labels: [], as: .publisher) }
            #expect(try await entries(test) == expected, "nothing was live on it any more")
        }
    }
}

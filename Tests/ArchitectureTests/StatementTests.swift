import Foundation
import Testing

/// The tables beside the tenants': what runs before or across organizations needs them. Closed: a new one needs its
/// reason in `ARCHITECTURE.md`.
private let closedList = [
    "organizations", "users", "memberships", "credentials", "sign_in_codes", "sessions", "claims", "jobs",
    "activation_counter", "consumers", "sinks", "sink_objects",
]

@Suite("Statements")
struct StatementTests {
    /// How statements begin, at the beginning of a line or of a literal.
    private static let beginnings = [
        "select ", "insert into ", "delete from ", "update ", "alter table ", "alter role ", "create table ",
        "create role ", "create database ", "drop table ", "grant ", "truncate ", "lock table ",
    ]

    private func isStatement(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return Self.beginnings.contains { word in
            (text.hasPrefix(word) || line.contains("\"" + word)) && (word != "update " || line.contains(" set "))
        }
    }

    @Test("statements stand in Storage, and in the PostgreSQL layer what migrates and prepares")
    func statements() throws {
        var found = 0
        for file in try SourceTree.swiftFiles(under: "Sources") {
            let places = file.places { isStatement($0) }
            if ["Storage", "Postgres"].contains(file.target) {
                found += places.count
            } else {
                #expect(places.isEmpty, "\(places)")
                #expect(file.places { $0.contains("SQL(") || $0.contains(": SQL") }.isEmpty, "\(file) makes an SQL")
            }
        }
        #expect(found > 60)
    }

    @Test("values reach a statement as parameters: nothing in Storage makes one of a string")
    func parameters() throws {
        for file in try SourceTree.swiftFiles(under: "Sources/Storage") {
            let places = file.places { $0.contains("SQL(") || $0.contains("append(text") || $0.contains("identifier:") }
            #expect(places.isEmpty, "\(places)")
        }
    }

    @Test("the tables of the closed list are written in Storage/Installation and nowhere else", arguments: closedList)
    func writers(table: String) throws {
        let writing = ["insert into", "update", "delete from", "lock table", "truncate"].map { "\($0) \(table)" }
        var writers = 0
        for file in try SourceTree.swiftFiles(under: "Sources/Storage") {
            let places = file.places { line in writing.contains { (line + " ").contains($0 + " ") } }
            guard file.path.hasPrefix("Sources/Storage/Installation/") else {
                #expect(places.isEmpty, "\(places)")
                continue
            }
            writers += places.count
        }
        #expect(writers > 0, "nothing writes \(table): the search has lost its object")
    }

    /// A domain and a version show what is live, an app that a live file names stays, a release is judged against what is
    /// live, and so is a change of an alias: they join the claims, with the organization in the condition.
    @Test("outside Storage/Installation the closed list is read in five places, claims joined by the organization")
    func readers() throws {
        let readers = [
            "Sources/Storage/Tenant/Apps.swift", "Sources/Storage/Tenant/Domains.swift",
            "Sources/Storage/Tenant/DomainCandidates.swift", "Sources/Storage/Tenant/Domains+Standing.swift",
            "Sources/Storage/Tenant/Versions.swift",
        ]
        let names = closedList.joined(separator: "|")
        let reading = try Regex("(from|join|using) (\(names))\\b")
        let joining = try Regex("left join claims on claims\\.organization_id = ")
        var found: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/Storage")
        where !file.path.hasPrefix("Sources/Storage/Installation/") {
            let places = file.places { $0.contains(reading) && !$0.contains(joining) }
            #expect(places.isEmpty, "\(places)")
            if !file.places(where: { $0.contains(joining) }).isEmpty { found.insert(file.path) }
        }
        #expect(found == Set(readers))
    }

    /// The catalog test knows tables; this one the statements: each names the organization itself, so that a fault in
    /// row level security alone shows nothing.
    @Test("every statement over a tenant's table names the organization")
    func organization() throws {
        let tables =
            "teams|apps|domains|drafts|draft_apps|audit_entries|blobs|versions|publications|fetches|fetch_reports"
            + "|schedules|schedule_runs|schedule_outcomes|freezes"
            + "|releases|release_domains|replacements|replacement_domains"
        let touching = try Regex("\\b(from|join|into|update) (\(tables))\\b")
        var statements = 0
        for file in try SourceTree.swiftFiles(under: "Sources/Storage") {
            for literal in literals(of: file) where literal.contains(touching) {
                statements += 1
                #expect(
                    literal.contains("organization_id") || literal.contains("(fragment: selecting"),
                    "\(file): \(literal)")
            }
        }
        #expect(statements > 30)
    }

    /// The string literals of a file: between triple quotes, or on one line.
    private func literals(of file: SourceTree.File) -> [String] {
        let text = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        let pieces = text.components(separatedBy: "\"\"\"")
        let long = pieces.indices.filter { !$0.isMultiple(of: 2) }.map { pieces[$0] }
        let rest = pieces.indices.filter { $0.isMultiple(of: 2) }.map { pieces[$0] }.joined(separator: "\n")
        return long + rest.matches(of: /"(?:[^"\n\\]|\\.)*"/).map { String($0.0) }
    }
}

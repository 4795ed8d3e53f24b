import Foundation
import Testing

/// The system's tables, which do not belong to one organization, and the only files that write them. Work before sign-in
/// or across organizations needs them. `ARCHITECTURE.md` must give a reason for each new one.
private let writers: [String: Set<String>] = [
    "organizations": ["Access/People.swift", "Access/Quotas.swift", "Leaving/OrganizationDeletion.swift"],
    "users": [
        "Access/Passwords.swift", "Access/People.swift", "Access/SecondFactors.swift",
        "Leaving/OrganizationDeletion.swift",
    ],
    "memberships": ["Access/Members.swift", "Access/People.swift"],
    "credentials": ["Access/Credentials.swift", "Access/Tokens.swift"],
    "sign_in_codes": ["Access/Sessions.swift"],
    "sessions": ["Access/Sessions.swift"],
    "sign_in_failures": ["Access/Passwords.swift"],
    "invitations": ["Access/Invitations.swift", "Leaving/OrganizationDeletion.swift"],
    "recovery_codes": ["Access/SecondFactors.swift"],
    "passkeys": ["Access/Passkeys.swift", "Access/SecondFactors.swift"],
    "identities": ["Access/Identities.swift"],
    "sign_in_attempts": ["Access/Identities.swift"],
    "passkey_challenges": ["Access/Passkeys.swift"],
    "sign_ups": ["Access/SignUps.swift"],
    "mails": ["Access/Mails.swift"],
    "rate_counts": ["Access/RateCounts.swift"],
    "account_idempotency_keys": ["Transactions/IdempotencyClaim.swift"],
    "ended_hosts": ["Claims/Claims.swift"],
    "claims": ["Claims/Claims.swift", "Releases/ReleaseClaims.swift"],
    "jobs": ["Jobs/Jobs.swift"],
    "activation_counter": ["Claims/Claims.swift", "Releases/ReleaseClaims.swift"],
    "consumers": ["Sinks/Consumers.swift"],
    "sinks": ["Sinks/Sinks.swift", "Sinks/Sinks+Listing.swift"],
    "sink_objects": ["Sinks/Sinks.swift", "Sinks/Sinks+Listing.swift"],
    "unplaced_events": ["Events/Events.swift"],
    "unsealed_trails": ["Events/AuditTrail.swift", "Events/Events.swift"],
]

@Suite("Statements")
struct StatementTests {
    /// The first words of statements, at the start of a line or of a literal.
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

    @Test("only Storage and the PostgreSQL layer have SQL statements")
    func statements() throws {
        var found = 0
        for file in try SourceTree.swiftFiles(under: "Sources") {
            let places = file.places { isStatement($0) }
            if ["Storage", "Postgres"].contains(file.target) {
                found += places.count
            } else {
                #expect(places.isEmpty, "\(places)")
                #expect(file.places { $0.contains("SQL(") || $0.contains(": SQL") }.isEmpty, "\(file) makes SQL")
            }
        }
        #expect(found > 60)
    }

    @Test("Storage passes values to statements as parameters, and makes no statement from a string")
    func parameters() throws {
        for file in try SourceTree.swiftFiles(under: "Sources/Storage") {
            let places = file.places { $0.contains("SQL(") || $0.contains("append(text") || $0.contains("identifier:") }
            #expect(places.isEmpty, "\(places)")
        }
    }

    @Test("only a system table's own files write it", arguments: writers.keys.sorted())
    func writing(table: String) throws {
        let writing = ["insert into", "update", "delete from", "lock table", "truncate"].map { "\($0) \(table)" }
        let found = try SourceTree.swiftFiles(under: "Sources/Storage").filter { file in
            !file.places { line in writing.contains { (line + " ").contains($0 + " ") } }.isEmpty
        }
        #expect(Set(found.map { String($0.path.dropFirst("Sources/Storage/".count)) }) == writers[table])
    }

    /// Domains and versions show which version is live, an app in a live file cannot be removed, a release is checked
    /// against live versions, and an approval is for what differs from them. So these files join the claims, with the organization in the condition.
    @Test("all other files that read a system table only join the claims of their organization")
    func reading() throws {
        let joiningFiles: Set = [
            "Approvals/ApprovalNeed.swift", "Approvals/ApprovalRequests.swift",
            "Leaving/ExportedVersion.swift", "Publications/Versions.swift", "Registry/Apps.swift",
            "Registry/Apps+Domains.swift",
            "Registry/DomainFilter.swift",
            "Registry/Domains.swift", "Registry/Domains+Standing.swift", "Releases/DomainCandidates.swift",
        ]
        let readers = writers.values.reduce(into: Set()) { $0.formUnion($1) }
            .union([
                "Claims/Claims+UpToDate.swift", "Releases/ReleaseBlockedReasons.swift", "Releases/ReleaseReach.swift",
            ])
        let reading = try Regex("(from|join|using) (\(writers.keys.joined(separator: "|")))\\b")
        let joining = try Regex("left join claims on claims\\.organization_id = ")
        var found: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/Storage") {
            let name = String(file.path.dropFirst("Sources/Storage/".count))
            guard !readers.contains(name) else { continue }
            let places = file.places { $0.contains(reading) && !$0.contains(joining) }
            #expect(places.isEmpty, "\(places)")
            if !file.places(where: { $0.contains(joining) }).isEmpty { found.insert(name) }
        }
        #expect(found == joiningFiles)
    }

    /// Every statement itself has the organization in a condition, so that an error in row level security alone discloses
    /// nothing. (Another test checks row level security in the database's catalog.)
    @Test("every statement on a tenant's table has the organization in a condition")
    func organization() throws {
        let tables =
            "teams|apps|app_words|domains|domain_states|domain_labels|domain_words|drafts|draft_apps|audit_entries|blobs"
            + "|versions|publications|fetches|fetch_reports|schedules|schedule_runs|schedule_outcomes|freezes"
            + "|releases|release_domains|replacements|replacement_domains|trusts|exchanged_tokens"
            + "|audit_checkpoints|sign_in_providers|former_members|approval_policies|draft_editors|approval_requests|approval_request_domains|approval_reviews|approvals"
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

    /// The string literals of a file, in triple quotes or on one line.
    private func literals(of file: SourceTree.File) -> [String] {
        let text = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        let pieces = text.components(separatedBy: "\"\"\"")
        let long = pieces.indices.filter { !$0.isMultiple(of: 2) }.map { pieces[$0] }
        let rest = pieces.indices.filter { $0.isMultiple(of: 2) }.map { pieces[$0] }.joined(separator: "\n")
        return long + rest.matches(of: /"(?:[^"\n\\]|\\.)*"/).map { String($0.0) }
    }
}

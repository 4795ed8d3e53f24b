import ArgumentParser
import FoundationEssentials
import Postgres
import Snapshot
import Storage
import StrictJSON

/// `waymark audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Exports, verifies and prunes the audit trail.",
        subcommands: [Export.self, Verify.self, Prune.self])

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the audit trail of an organization as lines of JSON, with its signed checkpoints.",
            discussion: """
                Uses the API, with the token in WAYMARK_TOKEN, which needs the role admin. `waymark audit verify` checks \
                the printed text without the API.

                  waymark audit export > trail.ndjson
                  waymark audit export --after 1041 >> trail.ndjson

                Exit codes: 0 success; 2 the request is invalid; 3 other errors.
                """)

        @Option(help: "Only entries after this position: that of the last checkpoint of an earlier export.")
        var after = 0
        @Option(help: "The API's address. The default is WAYMARK_URL or http://127.0.0.1:8080.") var url: String?

        func validate() throws {
            if after < 0 { throw ValidationError("--after must be a position, 0 or more.") }
        }

        func run() async throws {
            try await RemoteAPI.with(url: url) { api in
                var place: Int? = after
                while let current = place {
                    let (answer, bytes) = try await api.download("/v1/audit/export?after=\(current)")
                    guard answer.status == 200 else {
                        Console.complain(answer.complaint)
                        throw answer.code == "invalid_parameter" ? Ending.usage : Ending.failed
                    }
                    let lines = bytes.split(separator: UInt8(ascii: "\n"))
                    let last = try lines.last.map {
                        try JSONValue(parsing: Array($0), limits: AuditVerification.limits)
                    }
                    place = last?["checkpoint"]?["position"]?.number?.int
                    // The last part has no entries, so it is printed only if the trail has none at all.
                    if place != nil || current == after { try Console.answer(bytes) }
                }
            }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks an exported audit trail: its chain of digests, and the signatures of its checkpoints.",
            discussion: """
                Needs no server. It finds every entry that was changed, added, moved or removed since its checkpoint was \
                signed. `waymark key` on the server prints the public keys. Give the keys from your own records: a key that \
                comes with the export proves nothing.

                  waymark audit verify --key mVn…= trail.ndjson
                  waymark audit verify --key mVn…= --expect 1041:5f70bf18… trail.ndjson

                --expect gives a digest that you have noted before, such as from the log. It shows that nobody replaced the \
                whole trail, which the owner of the signing key could do. One of --key and --expect is required: anyone \
                can compute the digests of a forged trail.

                Exit codes: 0 the trail is intact; 1 it is not; 2 wrong usage; 3 other errors.
                """)

        @Argument(help: "The file; - reads standard input.") var file: String
        @Option(help: "A public key that checkpoints must be signed with. Can be repeated, or be a list with commas.")
        var key: [String] = []
        @Option(help: "A position and its digest, as POSITION:DIGEST. Can be repeated.") var expect: [String] = []
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if key.isEmpty && expect.isEmpty {
                throw ValidationError(
                    "Give --key, with the installation's public key (`waymark key` on the server), or --expect. "
                        + "Without them, a forged trail would look intact.")
            }
        }

        func run() throws {
            var verification = AuditVerification(keys: try keys(), expected: try expected())
            do {
                try InputFile.eachLine(of: file, upTo: AuditVerification.limits.bytes) { try verification.take($0) }
                try verification.end()
            } catch let fault as AuditVerification.Fault {
                if json {
                    try Console.say([
                        "intact": .bool(false), "line": .int(fault.line), "problem": .string(fault.problem),
                    ])
                }
                Console.complain("\(file):\(fault.line): \(fault.problem)")
                throw Ending.notRight
            }
            if json { try Console.say(verification.json) } else { try Console.say(verification.text) }
        }

        private func keys() throws -> [VerificationKey] {
            try key.flatMap { $0.split(separator: ",") }.map { text in
                guard let key = try? VerificationKey(base64: String(text)) else {
                    throw ValidationError("--key must be a public key as `waymark key` prints it: \(text)")
                }
                return key
            }
        }

        private func expected() throws -> [Int64: String] {
            try Dictionary(
                expect.map { text in
                    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                    guard parts.count == 2, let position = Int64(parts[0]), position > 0, parts[1].utf8.count == 64
                    else {
                        throw ValidationError(
                            "--expect must be a position and a digest of 64 digits, such as 1041:5f70…: \(text)")
                    }
                    return (position, String(parts[1]))
                }, uniquingKeysWith: { _, last in last })
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes old entries of all audit trails. Requires the owner of the tables.",
            discussion: """
                Connects with WAYMARK_OWNER_DATABASE_URL, or to the private database of a running `serve`. The service \
                itself cannot delete an entry. Entries are deleted up to a checkpoint, which stays and proves what \
                follows. Export the trails before you prune them. Old events are deleted with their entries.
                """)

        @Option(help: "Delete entries older than this number of days, 30 or more.") var olderThanDays: Int
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if olderThanDays < 30 { throw ValidationError("--older-than-days must be 30 or more.") }
        }

        func run() async throws {
            let settings = try Settings.load()
            let pool = PostgresPool(try DatabaseAccess.owner(settings), logger: settings.quietLogger())
            let result: Result<[(slug: String, position: Int64)], any Error>
            do { result = .success(try await prune(Store(pool: pool))) } catch { result = .failure(error) }
            await pool.close()
            let pruned = try result.get()
            if json {
                let list = pruned.map {
                    ["organization": .string($0.slug), "position": .int(Int($0.position))] as JSONValue
                }
                try Console.say(["pruned": .array(list)])
            } else if pruned.isEmpty {
                try Console.say("No entry is that old.")
            } else {
                try Console.say(
                    pruned.map { "\($0.slug): deleted the entries up to position \($0.position)" }.joined(
                        separator: "\n"))
            }
        }

        private func prune(_ store: Store) async throws -> [(slug: String, position: Int64)] {
            let time = Date().addingTimeInterval(-86_400 * Double(olderThanDays))
            var (pruned, last) = ([(slug: String, position: Int64)](), ID<Organization>?.none)
            repeat {
                let organizations = try await store.read { [last] in try $0.organizations(after: last, limit: 1_000) }
                for organization in organizations {
                    let done = try await store.write(as: organization, by: .system, deadline: .seconds(600)) { tenant in
                        try tenant.pruneTrail(before: time).map { (try tenant.currentOrganization().slug, $0) }
                    }
                    if let done { pruned.append(done) }
                }
                last = organizations.last
            } while last != nil
            return pruned
        }
    }
}

import AASA
import Foundation
import RunningWaymark
import Storage
import StrictJSON

/// The statements of a change of a rule, as the service sends them, run by pgbench.
struct Pgbench {
    private let url: String
    private let script: String

    init(_ waymark: Waymark, _ installation: Installation) throws {
        url = try Self.url(waymark)
        // pgbench would read `:false` as a variable.
        let document = String(decoding: Installation.draft.json.bytes(), as: UTF8.self).replacing("'", with: "''")
            .replacing("\":", with: "\": ")
        let organization = installation.organization
        script = """
            \\set revision random(1, 1000000)
            begin;
            select set_config('waymark.organization', '\(organization)', true);
            select drafts.revision, drafts.document, drafts.file_sha256, drafts.updated_at, domains.alias_of from drafts
            join domains on domains.organization_id = drafts.organization_id and domains.host = drafts.host
            where drafts.organization_id = '\(organization)'
              and drafts.host = 'links-' || :client_id || '.customer.example.com'
            for update of drafts;
            update drafts set revision = revision + 1, document = '\(document)',
              file_sha256 = sha256((:revision || '')::bytea), file_size = 600, updated_at = clock_timestamp()
            where organization_id = '\(organization)' and host = 'links-' || :client_id || '.customer.example.com'
            returning revision, updated_at;
            insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
            values ('\(organization)', 'token', 'benchmark', 'rule.changed',
              'links-' || :client_id || '.customer.example.com',
              'links-' || :client_id || '.customer.example.com',
              '{"revision":1,"rule":"r5","path":"/changed/1/*"}');
            commit;

            """.replacing("\n  ", with: " ").replacing("\njoin", with: " join").replacing("\nwhere", with: " where")
            .replacing("\nfor update", with: " for update").replacing("\nvalues", with: " values")
            .replacing("\nreturning", with: " returning")
    }

    /// Where the private server listens, by its own file.
    private static func url(_ waymark: Waymark) throws -> String {
        for folder in ["/postgres", "/postgres/data"] {
            guard let text = try? String(contentsOfFile: waymark.folder + folder + "/postmaster.pid", encoding: .utf8)
            else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count > 4 else { continue }
            let folder = lines[4].replacing("/", with: "%2F")
            return "postgresql:///waymark?host=\(folder)&port=\(lines[3])&user=waymark_runtime"
        }
        throw EditBenchmark.Failure.noServer
    }

    /// Runs it with a log of every transaction.
    func run(clients: Int, seconds: Int) throws -> Figures {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(script.utf8).write(to: folder.appending(path: "script.sql"))
        let process = Process()
        // Threads of Swift block SIGALRM, and child processes inherit this. pgbench needs it to end.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "--default-signal=ALRM", "pgbench", "-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(clients)", "-T",
            "\(seconds)", "-f", "script.sql",
            "-l", url,
        ]
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let logs = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter {
            $0.hasPrefix("pgbench_log")
        }
        let times = try logs.flatMap { name in
            // The third field is the time in microseconds.
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
                .compactMap { $0.split(separator: " ").dropFirst(2).first.flatMap { Double($0) } }
        }
        guard !times.isEmpty else { throw EditBenchmark.Failure.notAnswered }
        return Figures(times.map { $0 / 1_000 }, seconds: seconds)
    }
}

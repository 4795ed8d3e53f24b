import EmbeddedPostgres
import Foundation
import Logging
import Postgres

/// A tenant table with row level security, and the two ways to read from it.
struct Fixture {
    private static let rows = 100_000
    private static let role = "waymark_runtime"

    private let server: EmbeddedPostgres
    private let logger: Logger
    private let database: String
    private let organization = UUID()

    init(server: EmbeddedPostgres, logger: Logger) async throws {
        self.server = server
        self.logger = logger
        let preparation = DatabasePreparation()
        database = preparation.database
        try await preparation.prepare(server.configuration(database: "postgres", role: "postgres"), logger: logger)
        let owner = PostgresPool(
            server.configuration(database: database, role: preparation.owner.name), logger: logger)
        let (organization, rows) = (organization, Self.rows)
        try await owner.write(as: organization, deadline: .seconds(60)) { db in
            try db.execute(
                """
                create table things (
                    organization_id uuid not null, number bigint not null, note text not null,
                    constraint things_key primary key (organization_id, number))
                """)
            try db.execute(
                """
                insert into things
                select \(organization), number, 'note ' || number from generate_series(1, \(rows)) number
                """)
            try db.execute("alter table things enable row level security")
            try db.execute("alter table things force row level security")
            try db.execute(
                """
                create policy organization_of_the_transaction on things
                using (organization_id = nullif(current_setting('waymark.organization', true), '')::uuid)
                """)
        }
        try await owner.write { db in try db.execute("analyze things") }
        await owner.close()
    }

    /// The two forms of `read(as:)`.
    enum Form: String, CaseIterable {
        case statement
        case closure
    }

    /// Reads per second through a pool.
    func reads(_ form: Form, callers: Int, seconds: Int, connections: Int?) async throws -> Measurement {
        var configuration = server.configuration(database: database, role: Self.role)
        if let connections { configuration.maximumConnections = connections }
        let pool = PostgresPool(configuration, logger: logger)
        let organization = organization
        _ = try await Self.read(
            pool, form, organization: organization, until: .now + .milliseconds(300), callers: callers)
        let clock = ContinuousClock()
        let begin = clock.now
        let busy = Measurement.cpuTime(RUSAGE_SELF)
        let count = try await Self.read(
            pool, form, organization: organization, until: begin + .seconds(seconds), callers: callers)
        let duration = clock.now - begin
        let cpu = Measurement.cpuTime(RUSAGE_SELF) - busy
        await pool.close()
        return Measurement(rate: Double(count) / (duration / .seconds(1)), clientCPU: cpu / Double(max(1, count)))
    }

    private static func read(
        _ pool: PostgresPool, _ form: Form, organization: UUID, until end: ContinuousClock.Instant, callers: Int
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    var count = 0
                    // Fast and random enough, like pgbench's generator.
                    var random = UInt64.random(in: 0 ... .max)
                    while ContinuousClock.now < end {
                        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        let number = Int((random >> 33) % UInt64(rows)) + 1
                        let statement: SQL = "select number, note from things where number = \(number)"
                        let row: Row? =
                            switch form {
                            case .statement: try await pool.read(as: organization, statement).first
                            case .closure: try await pool.read(as: organization) { db in try db.first(statement) }
                            }
                        let note = try row?.decode(1, as: String.self)
                        precondition(note == "note \(number)")
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// The transactions per second of pgbench for the same two statements, sent in the same way.
    func pgbench(callers: Int, seconds: Int) async throws -> Measurement {
        let script = """
            \\set number random(1, \(Self.rows))
            \\startpipeline
            select set_config('waymark.organization', '\(organization.uuidString.lowercased())', true), \
            set_config('transaction_read_only', 'on', true);
            select number, note from things where number = :number;
            \\endpipeline

            """
        let path = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString).sql")
        try Data(script.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let arguments = [
            "-n", "-M", "prepared", "-c", "\(callers)", "-j", "2", "-T", "\(seconds)", "-f", path.path,
            server.url(database: database, role: Self.role),
        ]
        let busy = Measurement.cpuTime(RUSAGE_CHILDREN)
        let text = try await Self.run(Self.program, arguments)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) })
        else { throw PostgresError(.misuse, "pgbench printed: \(text)") }
        let cpu = Measurement.cpuTime(RUSAGE_CHILDREN) - busy
        return Measurement(rate: rate, clientCPU: cpu / max(1, rate * Double(seconds)))
    }

    /// Runs a program on a new thread that blocks no signals. The threads of the concurrency pool block all signals,
    /// and child processes inherit this. pgbench needs a signal to end.
    private static func run(_ program: String, _ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var none = sigset_t()
                sigemptyset(&none)
                pthread_sigmask(SIG_SETMASK, &none, nil)
                let process = Process()
                process.executableURL = URL(filePath: program)
                process.arguments = arguments
                let output = Pipe()
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                do {
                    try process.run()
                    let bytes = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private static var program: String {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = folders.compactMap { Int($0) }.max() ?? 0
        return "/usr/lib/postgresql/\(newest)/bin/pgbench"
    }
}

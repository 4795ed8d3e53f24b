import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing
import Timing

@testable import EmbeddedPostgres
@testable import Postgres

@Suite("The embedded PostgreSQL", .timeLimit(.minutes(2))) struct EmbeddedPostgresTests {
    /// A folder that the server's user can reach. It is removed afterwards.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = "/tmp/waymark-embedded-\(UUID().uuidString.prefix(8))"
        let result: Result<Void, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        try? FileManager.default.removeItem(atPath: folder)
        try result.get()
    }

    private func settings(_ folder: String) -> EmbeddedPostgres.Settings {
        var settings = EmbeddedPostgres.Settings(dataDirectory: folder + "/postgres")
        settings.durable = false
        return settings
    }

    private func start(_ folder: String) async throws -> EmbeddedPostgres {
        try await EmbeddedPostgres.start(settings(folder), logger: TestCluster.silent)
    }

    /// Starts again after the first server was deallocated, which may take a moment.
    private func startAgain(_ folder: String) async throws -> EmbeddedPostgres {
        _ = try await eventually {
            let lock = try? DirectoryLock(DataDirectory(path: folder + "/postgres").lockPath)
            return lock != nil
        }
        return try await start(folder)
    }

    private func run<Success: Sendable>(
        _ server: EmbeddedPostgres, _ body: @escaping @Sendable (Database) throws -> Success
    ) async throws -> Success {
        let pool = PostgresPool(
            server.configuration(database: "postgres", role: "postgres"), logger: TestCluster.silent)
        let result = try await pool.write(body)
        await pool.close()
        return result
    }

    private func count(_ server: EmbeddedPostgres) async throws -> Int? {
        try await run(server) { db in try db.first("select count(*) from things")?.decode(0, as: Int.self) }
    }

    @Test("a server that ignores signals at first is stopped as soon as it handles them")
    func deafServer() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for descriptor in ends { try #require(fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0) }
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        // Like PostgreSQL in its first moments, it ignores the signals that its parent ignores.
        let server = ["/usr/bin/perl", "-e", "sleep 1; $SIG{INT} = 'DEFAULT'; sleep 25"]
        let watcher = try await ChildProcess.start(
            ["/bin/sh", "-c", ServerProcess.script, "waymark-postgres", ""] + server,
            input: FileDescriptor(rawValue: ends[0]), output: FileDescriptor(rawValue: output))
        for descriptor in ends + [output] { close(descriptor) }
        let clock = ContinuousClock()
        let begin = clock.now
        let hasEnded = try await eventually { watcher.exitStatus != nil }
        #expect(hasEnded && clock.now - begin < .seconds(20))
    }

    @Test("a lock is held once, and the file of a failed attempt is closed once")
    func heldLock() async throws {
        try await withFolder { folder in
            mkdir(folder, 0o700)
            let held = try #require(try DirectoryLock(folder + "/lock"))
            errno = 0
            #expect(try DirectoryLock(folder + "/lock") == nil)
            // A second close would fail with EBADF, after everything else.
            #expect(errno == EWOULDBLOCK)
            withExtendedLifetime(held) {}
        }
    }

    @Test("data survives a restart, and the server is reachable only over its socket")
    func restart() async throws {
        try await withFolder { folder in
            let first = try await start(folder)
            #expect(first.isRunning)
            let addresses = try await run(first) { db in
                try db.execute("create table things ()")
                try db.execute("insert into things default values")
                return try db.first("show listen_addresses")?.decode(0, as: String.self)
            }
            #expect(addresses == "")
            var mode = stat()
            #expect(stat(folder + "/postgres.socket", &mode) == 0)
            #expect(mode.st_mode & 0o077 == 0)
            try await first.stop()
            try await first.stop()
            #expect(!first.isRunning)
            let second = try await start(folder)
            let left = try await count(second)
            #expect(left == 1)
            let url = try PostgresConfiguration(url: second.url(database: "postgres", role: "postgres"))
            #expect(url.keywords["host"] == folder + "/postgres.socket")
            #expect(url.keywords["user"] == "postgres")
            try await second.stop()
        }
    }

    @Test("only one process at a time uses the data")
    func locked() async throws {
        try await withFolder { folder in
            let first = try await start(folder)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await start(folder) }
            #expect(error == .inUse(dataDirectory: folder + "/postgres"))
            #expect(first.isRunning)
            try await first.stop()
        }
    }

    @Test("the server stops when our end of the pipe is closed, as after kill -9, and a new start waits for that")
    func release() async throws {
        try await withFolder { folder in
            var first: EmbeddedPostgres? = try await start(folder)
            if let first { _ = try await run(first) { db in try db.execute("create table things ()") } }
            first = nil
            let second = try await startAgain(folder)
            let left = try await count(second)
            #expect(left == 0)
            try await second.stop()
        }
    }

    @Test("a server left running without its watcher is stopped and started again")
    func orphan() async throws {
        try await withFolder { folder in
            var first: EmbeddedPostgres? = try await start(folder)
            let pid = DataDirectory(path: folder + "/postgres").postmaster?.pid
            // Kills every process of the watcher's session except the server.
            if let watcher = first?.server.watcher.pid {
                let children = try String(contentsOfFile: "/proc/\(watcher)/task/\(watcher)/children", encoding: .utf8)
                for child in children.split(separator: " ").compactMap({ pid_t($0) }) where child != pid {
                    kill(child, SIGKILL)
                }
                kill(watcher, SIGKILL)
            }
            first = nil
            #expect(DataDirectory(path: folder + "/postgres").postmaster?.pid == pid)
            let second = try await startAgain(folder)
            #expect(DataDirectory(path: folder + "/postgres").postmaster?.pid != pid)
            try await second.stop()
        }
    }

    @Test("a killed server recovers at the next start")
    func crash() async throws {
        try await withFolder { folder in
            var settings = settings(folder)
            settings.durable = true
            let first = try await EmbeddedPostgres.start(settings, logger: TestCluster.silent)
            _ = try await run(first) { db in
                try db.execute("create table things ()")
                try db.execute("insert into things default values")
            }
            let pid = try #require(DataDirectory(path: folder + "/postgres").postmaster?.pid)
            kill(pid, SIGKILL)
            _ = await first.server.watcher.wait(until: .now + .seconds(30))
            try await first.stop()
            let second = try await start(folder)
            let left = try await count(second)
            #expect(left == 1)
            try await second.stop()
        }
    }

    @Test("a process number that now belongs to another program does not prevent a start")
    func recycledNumber() async throws {
        try await withFolder { folder in
            let first = try await start(folder)
            try await first.stop()
            let lock = "\(getpid())\n\(folder)/postgres\n1\n5432\n\n\n\nready\n"
            try lock.write(toFile: folder + "/postgres/postmaster.pid", atomically: false, encoding: .utf8)
            let second = try await start(folder)
            #expect(second.isRunning)
            try await second.stop()
        }
    }

    @Test("a half-made cluster is created again")
    func halfMade() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/postgres.new", withIntermediateDirectories: true)
            try "15".write(toFile: folder + "/postgres.new/PG_VERSION", atomically: false, encoding: .utf8)
            let server = try await start(folder)
            #expect(server.isRunning)
            #expect(!FileManager.default.fileExists(atPath: folder + "/postgres.new"))
            try await server.stop()
        }
    }

    @Test("data of another major version is refused, with instructions for a dump")
    func otherVersion() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/postgres", withIntermediateDirectories: true)
            try "9\n".write(toFile: folder + "/postgres/PG_VERSION", atomically: false, encoding: .utf8)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await start(folder) }
            guard case .otherVersion(_, 9, _) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(error?.description.contains("pg_dump") == true)
        }
    }

    @Test("a folder with other files is refused")
    func foreign() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/postgres", withIntermediateDirectories: true)
            try "x".write(toFile: folder + "/postgres/mine", atomically: false, encoding: .utf8)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await start(folder) }
            #expect(error == .foreignDirectory(folder + "/postgres"))
        }
    }

    @Test("a deep folder works; its socket is then in a private folder elsewhere")
    func deep() async throws {
        try await withFolder { folder in
            let deep = folder + String(repeating: "/deep", count: 20)
            let server = try await EmbeddedPostgres.start(settings(deep), logger: TestCluster.silent)
            let answer = try await run(server) { db in try db.first("select 1")?.decode(0, as: Int.self) }
            #expect(answer == 1)
            try await server.stop()
            let socket = DataDirectory(path: settings(deep).dataDirectory).socketDirectory
            #expect(!socket.hasPrefix(folder))
            try? FileManager.default.removeItem(atPath: socket)
        }
    }

    @Test("a folder that the server's user cannot reach is refused", .enabled(if: geteuid() == 0))
    func unreachable() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            chmod(folder, 0o700)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await start(folder) }
            #expect(error == .unreachable(directory: folder + "/postgres", user: "postgres"))
        }
    }

    @Test("a durable server has PostgreSQL's durability settings on")
    func durable() async throws {
        try await withFolder { folder in
            var settings = settings(folder)
            settings.durable = true
            let server = try await EmbeddedPostgres.start(settings, logger: TestCluster.silent)
            let values = try await run(server) { db in
                try db.query(
                    "select setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')"
                ).map { try $0.decode(0, as: String.self) }
            }
            #expect(values == ["on", "on", "on", "on"])
            try await server.stop()
        }
    }
}

import Foundation
import Glibc
import Logging
import Postgres
import RunningWaymark
import Storage
import StrictJSON

/// Measures releases of many domains, from the start of `POST /v1/releases` to the edge and to a directory. Also
/// measures the replacement of an app in many drafts. It uses a real `waymark serve`, its edge and a directory writer
/// as separate processes, and HTTP everywhere. It includes all waiting for PostgreSQL and the disks.
///
/// Usage: `ReleaseBenchmark [domains] [drafts]`. The default is 10,000 domains and 100,000 drafts. With 0 drafts there
/// is no replacement.
@main
enum ReleaseBenchmark {
    enum Failure: Error { case notAnswered, refused(String), ended(String), notServed(String) }

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let domains = numbers.first ?? 10_000
        let drafts = numbers.count > 1 ? numbers[1] : 100_000
        let waymark = try Waymark()
        defer { waymark.stop() }
        let (writer, root) = try waymark.startDirectoryWriter()
        defer {
            writer.terminate()
            writer.waitUntilExit()
        }
        let quiet = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let pool = PostgresPool(try waymark.database(), logger: quiet)
        let installation = try await Installation(Store(pool: pool))
        print("creating \(domains) domains")
        try await installation.add(0..<domains, areVerified: true)
        for turn in 1...3 {
            let release = try await measureRelease(
                Service(waymark, installation), Consumers(edgePort: waymark.edgePort, root: root, domains: domains))
            print("release \(turn) of \(domains) domains, seconds from the start: \(release)")
            try await installation.change(0..<domains, turn: turn)
        }
        if drafts > 0 {
            print("creating \(max(0, drafts - domains)) more drafts")
            try await installation.add(domains..<max(domains, drafts), areVerified: false)
            try measureReplacement(Service(waymark, installation), installation, drafts: max(domains, drafts))
        }
        await pool.close()
    }

    private static func measureRelease(_ service: Service, _ consumers: Consumers) async throws -> String {
        let before = try consumers.shown()
        let start = ContinuousClock.now
        var seen: [(String, Duration)] = []
        func note(_ name: String) { seen.append((name, ContinuousClock.now - start)) }
        let made = try service.ask("POST", "/v1/releases", #"{"label":"\#(Installation.label)"}"#)
        note("answered")
        let path = "/v1/releases/\(made["id"]?.string ?? "")"
        var next = ["judged", "frozen", "live", "edge", "directory"][...]
        while let step = next.first {
            guard ContinuousClock.now - start < .seconds(300) else { throw Failure.notServed(step) }
            let isReached: Bool
            switch step {
            case "judged", "frozen", "live":
                let release = try service.ask("GET", path)
                let state = release["state"]?.string ?? ""
                guard ["judging", "scheduled", "running", "live"].contains(state) else { throw Failure.ended(state) }
                let waiting = release["domains"]?["waiting"]?.number?.int ?? 0
                isReached = step == "judged" ? waiting == 0 : step == "frozen" ? state != "judging" : state == "live"
            case "edge": isReached = try consumers.edgeShows(anotherThan: before.edge)
            default: isReached = try consumers.directoryShows(anotherThan: before.link)
            }
            if isReached {
                note(step)
                next.removeFirst()
            } else {
                usleep(5_000)
            }
        }
        try consumers.check()
        return seen.map { "\($0.0) \(String(format: "%.2f", $0.1 / .seconds(1)))" }.joined(separator: ", ")
    }

    private static func measureReplacement(_ service: Service, _ installation: Installation, drafts: Int) throws {
        let start = ContinuousClock.now
        let path = "/v1/apps/\(installation.apps.old)/replacements"
        let made = try service.ask("POST", path, #"{"with":"\#(installation.apps.new)"}"#)
        print("replacement of \(drafts) drafts: answered after \(ContinuousClock.now - start)")
        var told = ContinuousClock.now
        while true {
            let now = try service.ask("GET", "\(path)/\(made["id"]?.string ?? "")")
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let changed = now["domains"]?["changed"]?.number?.int ?? 0
            let isDone = now["state"]?.string != "running"
            if isDone || ContinuousClock.now - told > .seconds(10) {
                told = .now
                let rate = Double(changed) / seconds
                print(String(format: "%d changed after %.1f s: %.0f a second", changed, seconds, rate))
            }
            if isDone { return }
            usleep(200_000)
        }
    }
}

/// The API, with all rights.
struct Service {
    private let connection: Connection
    private let token: String

    init(_ waymark: Waymark, _ installation: Installation) throws {
        guard let connection = Connection(port: waymark.apiPort) else { throw ReleaseBenchmark.Failure.notAnswered }
        self.connection = connection
        token = installation.token
    }

    func ask(_ method: String, _ path: String, _ body: String = "") throws -> JSONValue {
        let answer = connection.ask(
            method, path,
            fields: ["Host: localhost", "Authorization: Bearer \(token)", "Content-Type: application/json"], body: body)
        guard let answer else { throw ReleaseBenchmark.Failure.notAnswered }
        guard (200..<300).contains(answer.status) else {
            throw ReleaseBenchmark.Failure.refused(answer.head + answer.body)
        }
        return try JSONDocument(parsing: Array(answer.body.utf8)).root
    }
}

/// The state of the edge and the directory writer.
final class Consumers {
    private let edgePort: Int
    /// The edge closes connections that have been idle for some time.
    private var edge: Connection?
    private let root: String
    private let domains: Int

    /// The last domain in the order of hosts, which is also the order of the links.
    private let last: Int

    init(edgePort: Int, root: String, domains: Int) {
        self.edgePort = edgePort
        self.root = root
        self.domains = domains
        last = (0..<domains).max { "\($0)." < "\($1)." } ?? 0
    }

    /// The state of the last domain on both.
    func shown() throws -> (edge: String?, link: String?) { (try tag(last), try link(last)) }

    func edgeShows(anotherThan before: String?) throws -> Bool {
        let now = try tag(last)
        return now != nil && now != before
    }

    func directoryShows(anotherThan before: String?) throws -> Bool {
        let now = try link(last)
        return now != nil && now != before
    }

    /// Checks that both have all domains and the same files.
    func check() throws {
        for number in 0..<domains {
            guard let tag = try tag(number), let link = try link(number), link.contains(tag.filter { $0 != "\"" })
            else {
                throw ReleaseBenchmark.Failure.notServed("\(try Installation.host(number))")
            }
        }
    }

    private func tag(_ number: Int) throws -> String? {
        if edge == nil { edge = Connection(port: edgePort) }
        let answer = edge?.ask(
            "HEAD", "/.well-known/apple-app-site-association", fields: ["Host: \(try Installation.host(number))"])
        if answer == nil { edge = nil }
        return answer?.field("etag")
    }

    private func link(_ number: Int) throws -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/hosts/\(try Installation.host(number))")
    }
}

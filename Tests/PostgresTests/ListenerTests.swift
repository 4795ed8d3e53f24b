import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Postgres

@Suite("The listener", .timeLimit(.minutes(1))) struct ListenerTests {
    private func withListener(
        _ database: TestDatabase, channels: [String],
        _ body: (inout AsyncStream<Listener.Event>.Iterator) async throws -> Void
    ) async throws {
        let listener = Listener(database.configuration(), channels: channels, logger: TestCluster.silent)
        var events = listener.events().makeAsyncIterator()
        let running = Task { try await listener.run() }
        #expect(await events.next() == .listening)
        try await body(&events)
        running.cancel()
        try await running.value
        #expect(await events.next() == nil)
    }

    @Test("the listener receives committed notifications on its channels and nothing else")
    func hears() async throws {
        try await withDatabase(migrations: nil) { database in
            try await withListener(database, channels: ["one", "Two \"odd\""]) { events in
                await #expect(throws: CancellationError.self) {
                    try await database.runtime.write { db in
                        try db.notify("one", "rolled back")
                        throw CancellationError()
                    }
                }
                try await database.runtime.write { db in
                    try db.notify("other", "x")
                    try db.notify("one")
                    try db.notify("Two \"odd\"", "payload 'é'")
                }
                #expect(await events.next() == .notification(Notification(channel: "one", payload: "")))
                #expect(
                    await events.next()
                        == .notification(Notification(channel: "Two \"odd\"", payload: "payload 'é'")))
            }
        }
    }

    @Test("the listener reports that its backend was killed, and reconnects each time")
    func reconnects() async throws {
        try await withDatabase(migrations: nil) { database in
            let superuser = PostgresPool(database.configuration(role: "postgres"), logger: TestCluster.silent)
            let name = database.name
            try await withListener(database, channels: ["one"]) { events in
                for round in 0..<3 {
                    let killed = try await superuser.write { db in
                        try db.execute(
                            """
                            select pg_terminate_backend(pid) from pg_stat_activity
                            where datname = \(name) and query like 'listen %'
                            """)
                    }
                    #expect(killed == 1)
                    #expect(await events.next() == .lost)
                    #expect(await events.next() == .listening)
                    try await database.runtime.write { db in try db.notify("one", "\(round)") }
                    #expect(await events.next() == .notification(Notification(channel: "one", payload: "\(round)")))
                }
            }
            await superuser.close()
        }
    }

    @Test("a listener without a server keeps trying until it is stopped")
    func neverEnds() async throws {
        let configuration = try PostgresConfiguration(url: "host=/tmp/there-is-no-such-folder dbname=x")
        let listener = Listener(configuration, channels: ["one"], logger: TestCluster.silent)
        let ended = NIOLockedValueBox(false)
        let running = Task {
            try await listener.run()
            ended.withLockedValue { $0 = true }
        }
        try await Task.sleep(for: .milliseconds(500))
        #expect(!ended.withLockedValue { $0 })
        let clock = ContinuousClock()
        let begin = clock.now
        running.cancel()
        try await running.value
        #expect(clock.now - begin < .seconds(30))
    }
}

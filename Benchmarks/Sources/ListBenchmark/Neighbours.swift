import Foundation
import RunningWaymark
import Synchronization

/// Reads of an organization while sixteen clients of another one list all the time.
enum Neighbours {
    private final class Load: Sendable {
        let isOver = Atomic(false)
        let lists = Atomic(0)
    }

    static func measure(
        busy: FilledOrganization, quiet: FilledOrganization, _ client: Client
    ) async throws {
        let path = "/v1/teams/ABCDE12345"
        let alone = try client.times(of: path, by: quiet.token)
        let load = Load()
        let paths = ["/v1/domains", "/v1/domains?q=example", "/v1/domains?state=live", "/v1/publications"]
        for number in 0..<16 {
            Thread.detachNewThread {
                guard let connection = Connection(port: client.port) else { return }
                while !load.isOver.load(ordering: .relaxed) {
                    _ = try? Client.ask(connection, "GET", paths[number % paths.count], busy.token)
                    load.lists.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        try await Task.sleep(for: .seconds(1))
        let (before, start) = (load.lists.load(ordering: .relaxed), ContinuousClock.now)
        let beside = try client.times(of: path, by: quiet.token)
        let rate = Double(load.lists.load(ordering: .relaxed) - before) / ((ContinuousClock.now - start) / .seconds(1))
        load.isOver.store(true, ordering: .relaxed)
        print(
            "a read by key: median and p99 in ms alone \(milliseconds(alone.median)) \(milliseconds(alone.slow)), "
                + "beside 16 clients of another organization \(milliseconds(beside.median)) "
                + "\(milliseconds(beside.slow)) (\(Int(rate)) lists a second)")
    }
}

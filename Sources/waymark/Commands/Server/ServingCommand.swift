import ArgumentParser
import StrictJSON

/// `waymark serving`.
struct ServingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serving",
        abstract: "Shows which edges, directories and buckets have what is live on a host, and why others do not.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN. Shown are edges and directories that have reported \
            within a day, each with when it was seen last, and buckets with when they were compared last.

              waymark serving www.example.com

            Exit code 0 when all of them have what is live; 1 when one has not; 3 when it could not be done.
            """)

    @Argument(help: "The domain, or an alias.") var host: String
    @OptionGroup var remote: RemoteOptions

    func run() async throws {
        let serving = try await RemoteAPI.with(url: remote.url) { api in
            try remote.accepted(try await api.get("/v1/domains/\(RemoteAPI.segment(host))/serving"))
        }
        let consumers = serving["consumers"]?.array ?? []
        let buckets = serving["buckets"]?.array ?? []
        let lines = [headline(serving["live"])] + consumers.map(line(ofConsumer:)) + buckets.map(line(ofBucket:))
        try remote.say(serving, lines.joined(separator: "\n"))
        let isWhole =
            consumers.allSatisfy { $0["current"] != false } && buckets.allSatisfy { $0["state"] == "current" }
        if !isWhole { throw Ending.notRight }
    }

    private func headline(_ live: JSONValue?) -> String {
        guard let version = live?["version"]?.number?.int else { return "\(host): nothing is live" }
        return "\(host): version \(version) is live since \(live?["publishedAt"]?.string ?? "")"
    }

    private func line(ofConsumer consumer: JSONValue) -> String {
        let standing =
            switch consumer["current"]?.bool {
            case true?: "has it"
            case false?: "\(consumer["lag"]?.number?.int ?? 0) s behind\(old(consumer))"
            case nil: "has nothing to serve"
            }
        let trouble =
            consumer["trouble"]?.string.map {
                "; in trouble since \(consumer["troubleSince"]?.string ?? ""): \($0)"
            } ?? ""
        let seen = when("seen", consumer["seenAt"])
        return line(consumer["kind"]?.string ?? "", consumer["name"], standing + seen + trouble)
    }

    private func line(ofBucket bucket: JSONValue) -> String {
        let standing = bucket["state"] == "current" ? "has it" : "behind since \(bucket["since"]?.string ?? "")"
        let cause =
            bucket["cause"]?.string.map { "; failing: \($0)" }
            ?? bucket["listingCause"]?.string.map { "; cannot be listed: \($0)" } ?? ""
        let compared = when("compared", bucket["comparedAt"])
        return line("bucket", bucket["name"], standing + old(bucket) + compared + cause)
    }

    /// What one that is behind has, as far as that is known.
    private func old(_ sink: JSONValue) -> String {
        guard sink["current"] != true, sink["state"] != "current" else { return "" }
        let activation = sink["activation"]?.number?.int.map { ", at activation \($0)" } ?? ""
        return activation + (sink["version"]?.number?.int.map { " with version \($0)" } ?? "")
    }

    /// How old the news is: what has ended since, or cannot be reached any more, has still what it had then.
    private func when(_ verb: String, _ moment: JSONValue?) -> String {
        moment?.string.map { ", \(verb) at \($0)" } ?? ""
    }

    private func line(_ kind: String, _ name: JSONValue?, _ standing: String) -> String {
        let padding = String(repeating: " ", count: max(1, 11 - kind.utf8.count))
        return "  \(kind)\(padding)\(name?.string ?? ""): \(standing)"
    }
}

import ArgumentParser
import StrictJSON

/// `waymark serving`.
struct ServingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serving",
        abstract: "Shows which edges, directories and buckets have the live file of a host.",
        discussion: """
            Uses the API, with the token in WAYMARK_TOKEN. Shows the edges and directories that reported within a day, with \
            the time of their last report, and the buckets with the time of their last comparison.

              waymark serving www.example.com

            Exit codes: 0 all have the live file; 1 one does not; 3 other errors.
            """)

    @Argument(help: "The domain or alias.") var host: String
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
            case true?: "current"
            case false?: "\(consumer["lag"]?.number?.int ?? 0) s behind\(old(consumer))"
            case nil: "nothing to serve"
            }
        let trouble =
            consumer["trouble"]?.string.map {
                "; error since \(consumer["troubleSince"]?.string ?? ""): \($0)"
            } ?? ""
        let seen = when("seen", consumer["seenAt"])
        return line(consumer["kind"]?.string ?? "", consumer["name"], standing + seen + trouble)
    }

    private func line(ofBucket bucket: JSONValue) -> String {
        let standing = bucket["state"] == "current" ? "current" : "behind since \(bucket["since"]?.string ?? "")"
        let cause =
            bucket["cause"]?.string.map { "; failing: \($0)" }
            ?? bucket["listingCause"]?.string.map { "; cannot be listed: \($0)" } ?? ""
        let compared = when("compared", bucket["comparedAt"])
        return line("bucket", bucket["name"], standing + old(bucket) + compared + cause)
    }

    /// The known activation and version of a sink that is not up to date. Otherwise empty.
    private func old(_ sink: JSONValue) -> String {
        guard sink["current"] != true, sink["state"] != "current" else { return "" }
        let activation = sink["activation"]?.number?.int.map { ", at activation \($0)" } ?? ""
        return activation + (sink["version"]?.number?.int.map { " with version \($0)" } ?? "")
    }

    /// The time when the sink was last observed. If it has ended or is unreachable, it may have changed since.
    private func when(_ verb: String, _ moment: JSONValue?) -> String {
        moment?.string.map { ", \(verb) at \($0)" } ?? ""
    }

    private func line(_ kind: String, _ name: JSONValue?, _ standing: String) -> String {
        let padding = String(repeating: " ", count: max(1, 11 - kind.utf8.count))
        return "  \(kind)\(padding)\(name?.string ?? ""): \(standing)"
    }
}

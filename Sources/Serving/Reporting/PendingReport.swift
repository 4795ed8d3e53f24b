internal import StrictJSON

/// What there is to tell the API, and what has been sent and not yet answered.
///
/// A report that may have arrived is sent again as it was, under the same number: the API counts a number once.
struct PendingReport {
    /// Fetches that wait to be told; more are counted as dropped.
    static let mostWaiting = 50_000
    /// Fetches in one report.
    static let mostSent = 1_000
    /// Hosts that are named in one report.
    static let mostHeld = 100

    /// What a report says of the snapshot.
    struct Progress: Hashable {
        var activation: Int64?
        var hosts: Int
        var held: [String]
        var heldCount: Int
        var trouble: String?

        init(_ status: FollowerStatus) {
            activation = status.activation
            hosts = status.hosts
            held = Array(status.heldHosts.prefix(PendingReport.mostHeld))
            heldCount = status.held + status.unavailable
            trouble = status.trouble
        }
    }

    let consumer: String
    let kind: String
    /// Another one for each start.
    let process: String
    private var sequence = 0
    private var waiting: [Fetch.Key: Fetch] = [:]
    private var sent: (body: [UInt8], progress: Progress)?
    private var told: Progress?

    init(consumer: String, kind: String, process: String) {
        self.consumer = consumer
        self.kind = kind
        self.process = process
    }

    /// Adds fetches.
    ///
    /// - Returns: how many could not be kept.
    mutating func add(_ fetches: [Fetch]) -> Int {
        var dropped = 0
        for fetch in fetches {
            if waiting[fetch.key] != nil {
                waiting[fetch.key]?.add(fetch)
            } else if waiting.count < Self.mostWaiting {
                waiting[fetch.key] = fetch
            } else {
                dropped += fetch.count
            }
        }
        return dropped
    }

    /// Whether fetches wait to be told, or a report to be answered.
    var hasFetches: Bool { !waiting.isEmpty || sent != nil }

    /// Whether the API does not know how far the consumer has got.
    func isNews(_ progress: Progress) -> Bool { told != progress || sent != nil }

    /// The body to send: the one that has not been answered, or a new one.
    mutating func next(_ progress: Progress) -> [UInt8] {
        if let sent { return sent.body }
        sequence += 1
        let keys = waiting.keys.prefix(Self.mostSent)
        let fetches = keys.compactMap { waiting.removeValue(forKey: $0) }
        let report: JSONValue = [
            "consumer": .string(consumer), "kind": .string(kind), "process": .string(process),
            "sequence": .int(sequence), "activation": progress.activation.map { .int(Int($0)) } ?? .null,
            "hosts": .int(progress.hosts), "held": .array(progress.held.map(JSONValue.string)),
            "heldCount": .int(progress.heldCount), "trouble": progress.trouble.map(JSONValue.string) ?? .null,
            "fetches": .array(fetches.map(\.json)),
        ]
        let body = report.bytes()
        sent = (body, progress)
        return body
    }

    /// The report has been answered: taken, or refused for good.
    mutating func answered() {
        told = sent?.progress
        sent = nil
    }
}

extension Fetch {
    fileprivate var json: JSONValue {
        [
            "host": .string(key.host), "version": .int(Int(key.version)), "client": .string(key.client.rawValue),
            "count": .int(count), "first": .int(first), "last": .int(last),
        ]
    }
}

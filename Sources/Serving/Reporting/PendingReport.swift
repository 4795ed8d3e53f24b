internal import StrictJSON

/// The data to report to the API, and the last report until the API has responded to it.
///
/// A report that may have arrived is sent again unchanged, with the same number. So the API counts it only once.
struct PendingReport {
    /// The maximum number of different fetches that wait to be sent. Further ones are dropped.
    static let maximumWaitingFetches = 50_000
    /// The maximum number of fetches in one report.
    static let maximumSentFetches = 1_000
    /// The maximum number of hosts listed in one report.
    static let maximumHeldHosts = 100

    /// The part of a report about the snapshot.
    struct Progress: Hashable {
        var activation: Int64?
        var hosts: Int
        var held: [String]
        var heldCount: Int
        var trouble: String?

        init(_ status: FollowerStatus) {
            activation = status.activation
            hosts = status.hosts
            held = Array(status.heldHosts.prefix(PendingReport.maximumHeldHosts))
            heldCount = status.held + status.unavailable
            trouble = status.trouble
        }
    }

    let consumer: String
    let kind: String
    /// An ID that is different for each start of the process.
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
    /// - Returns: The number of dropped fetches.
    mutating func add(_ fetches: [Fetch]) -> Int {
        var dropped = 0
        for fetch in fetches {
            if waiting[fetch.key] != nil {
                waiting[fetch.key]?.add(fetch)
            } else if waiting.count < Self.maximumWaitingFetches {
                waiting[fetch.key] = fetch
            } else {
                dropped += fetch.count
            }
        }
        return dropped
    }

    /// True if fetches wait to be sent, or the API has not responded to a report.
    var hasFetches: Bool { !waiting.isEmpty || sent != nil }

    /// True if the API may not know this progress.
    func isNews(_ progress: Progress) -> Bool { told != progress || sent != nil }

    /// Returns the body to send: the last report if the API has not responded to it, otherwise a new one.
    mutating func next(_ progress: Progress) -> [UInt8] {
        if let sent { return sent.body }
        sequence += 1
        let keys = waiting.keys.prefix(Self.maximumSentFetches)
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

    /// Records that the API has responded: it accepted the report, or will never accept it.
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

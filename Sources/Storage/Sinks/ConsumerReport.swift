/// A report of a consumer: its progress, and the fetches that it has counted.
public struct ConsumerReport: Hashable, Sendable {
    /// The kind of consumer.
    public enum Kind: String, CaseIterable, Sendable {
        /// An edge.
        case edge
        /// A directory writer.
        case directory
    }

    /// The kind of client that fetches files.
    public enum Client: String, CaseIterable, Sendable {
        /// Apple's CDN.
        case appleCDN
        /// A device.
        case device
        /// Any other client.
        case other
    }

    /// Fetches of one version from one host by one kind of client.
    public struct Fetches: Hashable, Sendable {
        /// The host in its normal form.
        public let host: String
        /// The version's number.
        public let version: Int
        /// The kind of client.
        public let client: Client
        /// The number of fetches.
        public let count: Int
        /// The times of the first and the last fetch, in seconds since 1970 by the consumer's clock.
        public let first: Int
        /// See `first`.
        public let last: Int

        /// Fetches. All values come from the consumer.
        public init(host: String, version: Int, client: Client, count: Int, first: Int, last: Int) {
            self.host = host
            self.version = version
            self.client = client
            self.count = count
            self.first = first
            self.last = last
        }
    }

    /// The consumer's name, which the operator chose.
    public let consumer: String
    /// The kind.
    public let kind: Kind
    /// A new text for each start of the consumer, which numbers its reports from 1.
    public let process: String
    /// The report's number. A report is counted only if its number is higher than the last one.
    public let sequence: Int
    /// The activation of the manifest that it has applied; `nil` if none.
    public let activation: Int?
    /// The number of hosts that it serves.
    public let hosts: Int
    /// The first of the hosts that it serves with an older file than the manifest's.
    public let held: [String]
    /// The number of those hosts.
    public let heldCount: Int
    /// Why it cannot apply the newest manifest, in words, at most 500 characters; `nil` if it can.
    public let trouble: String?
    /// The fetches since the last report.
    public let fetches: [Fetches]

    /// A report. All values come from the consumer.
    public init(
        consumer: String, kind: Kind, process: String, sequence: Int, activation: Int?, hosts: Int, held: [String],
        heldCount: Int, trouble: String? = nil, fetches: [Fetches]
    ) {
        self.consumer = consumer
        self.kind = kind
        self.process = process
        self.sequence = sequence
        self.activation = activation
        self.hosts = hosts
        self.held = held
        self.heldCount = heldCount
        self.trouble = trouble
        self.fetches = fetches
    }
}

extension Store {
    /// Stores a report: the fetches of each organization in a transaction of its own, then the consumer's progress.
    ///
    /// After an error it may be called again with the same report: nothing is counted twice. Fetches of hosts without a
    /// claim are left out.
    public func record(_ report: ConsumerReport) async throws {
        let hosts = Set(report.fetches.map(\.host))
        if !hosts.isEmpty {
            let owners = try await read { try $0.organizations(ofHosts: hosts.sorted()) }
            let byOwner = Dictionary(grouping: report.fetches) { owners[$0.host] }
            for (organization, fetches) in byOwner {
                guard let organization else { continue }
                try await write(as: organization, by: .system) { try $0.record(fetches, of: report) }
            }
        }
        try await write { try $0.note(report) }
    }
}

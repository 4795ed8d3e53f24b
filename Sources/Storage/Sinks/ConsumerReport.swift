/// A consumer's report: its progress, and its counts of fetches.
public struct ConsumerReport: Hashable, Sendable {
    /// The kind of consumer.
    public enum Kind: String, CaseIterable, Sendable {
        /// An edge.
        case edge
        /// A directory writer.
        case directory
    }

    /// The kind of client that fetched a file.
    public enum Client: String, CaseIterable, Sendable {
        /// Apple's CDN.
        case appleCDN
        /// A device.
        case device
        /// Any other client.
        case other
    }

    /// The fetches of one version from one host by one kind of client.
    public struct Fetches: Hashable, Sendable {
        /// The host in normal form.
        public let host: String
        /// The version's number.
        public let version: Int
        /// The kind of client.
        public let client: Client
        /// The number of fetches.
        public let count: Int
        /// The time of the first fetch, in seconds since 1970 by the consumer's clock.
        public let first: Int
        /// The time of the last fetch, in seconds since 1970 by the consumer's clock.
        public let last: Int

        /// Creates the fetches. All values come from the consumer.
        public init(host: String, version: Int, client: Client, count: Int, first: Int, last: Int) {
            self.host = host
            self.version = version
            self.client = client
            self.count = count
            self.first = first
            self.last = last
        }
    }

    /// The consumer's name. The operator chooses it.
    public let consumer: String
    /// The kind of consumer.
    public let kind: Kind
    /// A text that is different each time the consumer starts. After each start, reports are numbered from 1.
    public let process: String
    /// The report's number. A report is stored only if its number is higher than that of the last one from the same
    /// ``process``.
    public let sequence: Int
    /// The activation of the applied manifest, or `nil` if none was applied.
    public let activation: Int?
    /// The number of hosts that it serves.
    public let hosts: Int
    /// The first of the hosts that it serves with a file older than the manifest's.
    public let held: [String]
    /// The number of all hosts that ``held`` lists in part.
    public let heldCount: Int
    /// The reason why it cannot apply the newest manifest, as text of at most 500 characters, or `nil` if it can.
    public let trouble: String?
    /// The fetches since the last report.
    public let fetches: [Fetches]

    /// Creates a report. All values come from the consumer.
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
    /// Stores a report: first the fetches of each organization, each in its own transaction, and then the consumer's
    /// progress.
    ///
    /// After an error, call it again with the same report. Nothing is counted twice. Fetches of hosts without a claim
    /// are ignored.
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

/// What a consumer of the snapshot tells: how far it has got, and what was fetched from it.
public struct ConsumerReport: Hashable, Sendable {
    /// What lays the files out.
    public enum Kind: String, CaseIterable, Sendable {
        /// The edge.
        case edge
        /// A directory writer.
        case directory
    }

    /// Who fetches files.
    public enum Client: String, CaseIterable, Sendable {
        /// Apple's CDN.
        case appleCDN
        /// A device itself.
        case device
        /// Anybody else.
        case other
    }

    /// Fetches of one version from one host by one kind of client.
    public struct Fetches: Hashable, Sendable {
        /// The host in its normal form.
        public let host: String
        /// The number of the version.
        public let version: Int
        /// Who fetched it.
        public let client: Client
        /// How often.
        public let count: Int
        /// When first and last, in seconds since 1970 by the consumer's clock.
        public let first: Int
        /// See `first`.
        public let last: Int

        /// Fetches; all values are the consumer's.
        public init(host: String, version: Int, client: Client, count: Int, first: Int, last: Int) {
            self.host = host
            self.version = version
            self.client = client
            self.count = count
            self.first = first
            self.last = last
        }
    }

    /// The consumer's name, the operator's choice.
    public let consumer: String
    /// What it is.
    public let kind: Kind
    /// Another one for each start of the consumer: its reports are numbered from 1.
    public let process: String
    /// The report's number. One that is not higher than the last is not counted again.
    public let sequence: Int
    /// The activation of the manifest that it has applied; `nil` before the first.
    public let activation: Int?
    /// Hosts that it serves.
    public let hosts: Int
    /// The first of the hosts for which it does not serve what the manifest says.
    public let held: [String]
    /// How many those are.
    public let heldCount: Int
    /// What keeps it from taking over what is offered, in words; `nil` when all is well. At most 500 characters.
    public let trouble: String?
    /// What was fetched since the last report.
    public let fetches: [Fetches]

    /// A report; all values are the consumer's.
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
    /// Stores a report: each organization's fetches in a transaction of its own, then how far the consumer has got.
    ///
    /// It may be called again with the same report, wherever it failed: nothing is counted twice. Fetches of hosts that
    /// nobody has claimed are left out.
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

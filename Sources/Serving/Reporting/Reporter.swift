internal import AsyncHTTPClient
public import Logging
internal import Metrics
internal import NIOCore
internal import NIOHTTP1
public import ServiceLifecycle
internal import Timing

/// Reports a consumer's progress and its fetches to the API: `POST {base}/internal/reports`.
///
/// It sends a report soon after a snapshot was applied, every ten seconds if there are fetches, and at least once a
/// minute. Serving never waits for a report. While the API is unavailable, a limited number of fetches waits in memory.
public struct Reporter: Service {
    /// The kind of consumer.
    public enum Kind: String, Sendable {
        /// The edge.
        case edge
        /// The directory writer.
        case directory
    }

    /// The timing of reports.
    public struct Timing: Sendable {
        /// The interval between checks of the follower's progress.
        public var look = Duration.milliseconds(50)
        /// The interval between collections of fetches.
        public var collection = Duration.seconds(10)
        /// The maximum time without a report.
        public var silence = Duration.seconds(60)
        /// The time limit for the API's response.
        public var deadline = Duration.seconds(5)
        /// The time limit for the last report, sent when the consumer stops.
        public var lastReport = Duration.seconds(1)

        /// Creates the default times: 50 ms, 10 s, 60 s, 5 s, 1 s.
        public init() {}
    }

    private let address: String
    private let credential: ConsumerCredential
    private let status: @Sendable () -> FollowerStatus
    private let fetches: FetchLog?
    private let timing: Timing
    private let process: String
    private let consumer: String
    private let kind: Kind
    private let logger: Logger
    private let dropped = Counter(label: "waymark_reports_fetches_dropped_total")
    private let failed = Counter(label: "waymark_reports_failed_total")

    /// Creates a reporter. It does nothing before `run`.
    ///
    /// - Parameters:
    ///   - consumer: The consumer's name, 1 to 200 characters. It must stay the same across restarts.
    ///   - follower: The follower whose progress is reported.
    ///   - fetches: The fetches of an edge, or `nil` for a consumer that does not serve them.
    ///   - baseURL: The API's address, as for `HTTPSnapshotSource`.
    ///   - credential: The credential. It is sent as a bearer token.
    public init(
        consumer: String, kind: Kind, follower: SnapshotFollower, fetches: FetchLog? = nil, baseURL: String,
        credential: ConsumerCredential, timing: Timing = Timing(), logger: Logger
    ) {
        self.init(
            consumer: consumer, kind: kind, status: { follower.status }, fetches: fetches, baseURL: baseURL,
            credential: credential, timing: timing, logger: logger)
    }

    init(
        consumer: String, kind: Kind, status: @escaping @Sendable () -> FollowerStatus, fetches: FetchLog?,
        baseURL: String, credential: ConsumerCredential, timing: Timing, logger: Logger
    ) {
        self.consumer = consumer
        self.kind = kind
        self.status = status
        self.fetches = fetches
        self.timing = timing
        self.logger = logger
        address = (baseURL.utf8.last == UInt8(ascii: "/") ? String(baseURL.dropLast()) : baseURL) + "/internal/reports"
        self.credential = credential
        process = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }

    /// Reports until the service group shuts down. Then it tries to send the remaining data in a last report.
    public func run() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(timing.deadline))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let pending = PendingReport(consumer: consumer, kind: kind.rawValue, process: process)
        let left = await cancelWhenGracefulShutdown { await follow(pending, client) }
        await sendLastReport(left, client)
        try? await client.shutdown()
    }

    private func follow(_ pending: PendingReport, _ client: HTTPClient) async -> PendingReport {
        var pending = pending
        let backoff = Backoff(first: .milliseconds(250), longest: timing.collection)
        var failures = 0
        var nextTry = ContinuousClock.now
        var nextCollection = ContinuousClock.now + timing.collection
        var nextReport = ContinuousClock.now
        while !Task.isCancelled {
            let now = ContinuousClock.now
            if now >= nextCollection {
                await collect(&pending)
                nextCollection = now + timing.collection
                if pending.hasFetches { nextReport = now }
            }
            let progress = PendingReport.Progress(status())
            if now >= nextTry, now >= nextReport || pending.isNews(progress) {
                if await send(pending.next(progress), client, within: timing.deadline) {
                    pending.answered()
                    if failures > 0 { logger.info("reports arrive again") }
                    failures = 0
                    nextReport = pending.hasFetches ? now : now + timing.silence
                } else if !Task.isCancelled {
                    failures += 1
                    failed.increment()
                    nextTry = .now + backoff.pause(afterFailures: failures)
                    if failures == 1 { logger.warning("a report did not arrive; the counts are kept") }
                }
            }
            try? await Task.sleep(for: timing.look)
        }
        return pending
    }

    private func collect(_ pending: inout PendingReport) async {
        guard let fetches else { return }
        let taken = await fetches.take()
        let lost = taken.dropped + pending.add(taken.fetches)
        if lost > 0 { dropped.increment(by: lost) }
    }

    /// Tries once to send the remaining data: the report without a response, if any, and then the later counts.
    private func sendLastReport(_ pending: PendingReport, _ client: HTTPClient) async {
        var pending = pending
        await collect(&pending)
        for _ in 0..<2 where pending.hasFetches {
            let body = pending.next(PendingReport.Progress(status()))
            guard await send(body, client, within: timing.lastReport) else { return }
            pending.answered()
        }
    }

    /// Sends a report. Returns true if it must not be sent again. This includes a report that the API cannot read,
    /// because the API would never accept it.
    private func send(_ body: [UInt8], _ client: HTTPClient, within deadline: Duration) async -> Bool {
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers.add(name: "Authorization", value: credential.authorization)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, timeout: TimeAmount(deadline))
            _ = try? await response.body.collect(upTo: 64 * 1024)
            switch response.status.code {
            case 204: return true
            case 400, 413, 422:
                failed.increment()
                logger.error("a report was refused", metadata: ["status": "\(response.status.code)"])
                return true
            default: return false
            }
        } catch {
            return false
        }
    }
}

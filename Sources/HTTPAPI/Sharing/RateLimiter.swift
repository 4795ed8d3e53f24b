import FoundationEssentials
import HTTPTypes
import Metrics
import Storage
import Synchronization

/// The rate limits: how many requests, or evaluated URLs, are allowed in a minute.
public enum RatePolicy: String, CaseIterable, Sendable {
    /// A token or a person.
    case caller
    /// All callers in an organization.
    case organization
    /// A client without a valid credential.
    case address
    /// An address, for requests that hash a password or send a mail, with or without a credential.
    case signIn = "sign-in"
    /// The URLs that an organization evaluates. The quota is that of the organization.
    case evaluation
}

/// Counts requests in fixed minutes, in memory. It never waits, and needs no query for a request.
///
/// ``RateExchange`` adds the counts of busy clients to those of other processes. With n processes, a client can exceed
/// its quota q by at most (n − 1) · max(q / 16, r · t) requests in a minute, where r is the rate that a process admits,
/// and t the time between two exchanges, about a second. A process that cannot reach the database counts alone.
///
/// The memory is limited: if too many clients are counted in a minute, further ones share one count. They cannot
/// displace others.
public final class RateLimiter: Sendable {
    /// The requests that each policy allows in a minute. 0 means no limit.
    public struct Quotas: Hashable, Sendable {
        /// The requests of a token or person.
        public var caller: Int
        /// The requests of an organization.
        public var organization: Int
        /// The requests of an address without a credential.
        public var address: Int
        /// The requests of an address that hash a password or send a mail.
        public var signIn: Int

        /// Creates quotas.
        public init(caller: Int = 60_000, organization: Int = 240_000, address: Int = 12_000, signIn: Int = 60) {
            self.caller = caller
            self.organization = organization
            self.address = address
            self.signIn = signIn
        }

        subscript(policy: RatePolicy) -> Int {
            switch policy {
            case .caller: caller
            case .organization: organization
            case .address: address
            case .signIn: signIn
            case .evaluation: 0
            }
        }
    }

    /// The length of a period in seconds.
    static let period = 60
    /// The maximum number of clients of each policy that are counted separately.
    static let maximumSubjects = 50_000
    /// The maximum number of counts in one exchange.
    static let maximumShared = 1_000
    /// A count is shared with other processes when its new requests exceed the quota divided by this.
    static let sharedPart = 16
    /// The clients that are not counted separately.
    static let others = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The requests that are left to a client.
    struct Standing: Hashable, Sendable {
        let policy: RatePolicy
        let quota: Int
        let left: Int
        /// The seconds until the minute ends.
        let seconds: Int
        let isAdmitted: Bool
    }

    private struct Count {
        /// The requests of all processes, as the last exchange reported.
        var known = 0
        /// The requests of an exchange that is in progress.
        var sent = 0
        /// The requests since the last exchange.
        var new = 0
        /// True if the count is in ``Period/busy``.
        var isBusy = false

        var all: Int { known + sent + new }
    }

    private struct Period {
        var minute = 0
        var counts: [UUID: Count] = [:]
        /// The clients whose counts are shared in this minute.
        var busy: [UUID] = []
    }

    private let quotas: Quotas
    private let maximum: Int
    /// One lock for each policy, because each request with a credential needs two of them.
    private let caller = Mutex(Period())
    private let organization = Mutex(Period())
    private let address = Mutex(Period())
    private let signIn = Mutex(Period())
    private let evaluation = Mutex(Period())

    init(_ quotas: Quotas, maximum: Int = RateLimiter.maximumSubjects) {
        self.quotas = quotas
        self.maximum = maximum
    }

    /// Counts a request, unless the client would exceed the quota. Returns `nil` if there is no limit.
    ///
    /// - Parameters:
    ///   - number: How many the request counts as.
    ///   - own: The client's own quota, or `nil` for that of the policy.
    func count(
        _ policy: RatePolicy, _ subject: UUID, by number: Int = 1, quota own: Int? = nil,
        at time: Double = Date().timeIntervalSince1970
    ) -> Standing? {
        let quota = own ?? quotas[policy]
        guard quota > 0 else { return nil }
        let seconds = Int(time)
        let minute = seconds / Self.period
        let (all, isAdmitted) = change(policy) { period in
            // A request that is handled late must not begin an earlier minute again.
            if period.minute < minute { period = Period(minute: minute) }
            var subject = subject
            if period.counts[subject] == nil, period.counts.count >= maximum { subject = Self.others }
            return Self.add(number, to: &period, subject, quota)
        }
        return Standing(
            policy: policy, quota: quota, left: max(0, quota - all), seconds: Self.period - seconds % Self.period,
            isAdmitted: isAdmitted)
    }

    private static func add(
        _ number: Int, to period: inout Period, _ subject: UUID, _ quota: Int
    ) -> (all: Int, isAdmitted: Bool) {
        var count = period.counts[subject, default: Count()]
        guard count.all + number <= quota else { return (count.all, false) }
        count.new += number
        if !count.isBusy, count.new > quota / sharedPart {
            count.isBusy = true
            period.busy.append(subject)
        }
        period.counts[subject] = count
        return (count.all, true)
    }

    /// The number of clients that are counted separately.
    func subjects(of policy: RatePolicy) -> Int { change(policy) { $0.counts.count } }

    /// Takes the new requests of busy clients for an exchange. ``finish(_:with:in:)`` must follow.
    func begin() -> (minute: Int, counts: [RateCount]) {
        let minute = Int(Date().timeIntervalSince1970) / Self.period
        var counts: [RateCount] = []
        for policy in RatePolicy.allCases {
            counts += change(policy) { period in
                guard period.minute == minute else { return [] }
                let sent = period.busy.filter { period.counts[$0].map { $0.new > 0 } ?? false }
                return sent.prefix(Self.maximumShared - counts.count).compactMap { subject in
                    guard var count = period.counts[subject] else { return nil }
                    (count.sent, count.new) = (count.new, 0)
                    period.counts[subject] = count
                    return RateCount(policy: policy.rawValue, subject: subject, requests: count.sent)
                }
            }
        }
        return (minute, counts)
    }

    /// Ends an exchange.
    ///
    /// - Parameter sums: The requests of all processes, or `nil` if the exchange failed. Then the next one sends the
    ///   requests again.
    func finish(_ counts: [RateCount], with sums: [RateCount]?, in minute: Int) {
        for count in sums ?? counts {
            guard let policy = RatePolicy(rawValue: count.policy) else { continue }
            change(policy) { period in
                guard period.minute == minute, var own = period.counts[count.subject] else { return }
                if sums == nil { own.new += own.sent } else { own.known = count.requests }
                own.sent = 0
                period.counts[count.subject] = own
            }
        }
    }

    private func change<Value: Sendable>(
        _ policy: RatePolicy, _ body: (inout sending Period) -> sending Value
    ) -> Value {
        switch policy {
        case .caller: caller.withLock(body)
        case .organization: organization.withLock(body)
        case .address: address.withLock(body)
        case .signIn: signIn.withLock(body)
        case .evaluation: evaluation.withLock(body)
        }
    }
}

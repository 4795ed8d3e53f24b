/// The most that one request of a route may cost, whatever its limits let a caller send.
///
/// `Tests/Torture/api/test_cost.py` sends hostile requests to every route and measures them against its budget. It reads the
/// budgets from `contract/paths` (`x-budget`), which `ContractTests` hold to the route table.
public struct RouteBudget: Hashable, Sendable {
    /// Processor time of the API, in milliseconds, of a release build.
    public let processor: Int
    /// Memory of the API beyond the bytes of the request's body, in bytes.
    public let memory: Int
    /// Milliseconds until the answer, without those for which the caller asks the API to wait (`wait`).
    public let time: Int

    /// The budget of a route that names no other.
    public static let usual = RouteBudget(processor: 1_000, memory: 64 << 20, time: 10_000)
    /// The budget of a route that proxies and monitors ask again and again.
    public static let probe = RouteBudget(processor: 50, memory: 16 << 20, time: 2_000)
}

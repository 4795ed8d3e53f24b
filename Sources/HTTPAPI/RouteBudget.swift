/// The maximum cost of a request to a route, for any input within the route's limits.
///
/// `Tests/Torture/api/test_cost.py` sends hostile requests to every route and compares their cost with its budget. It
/// reads the budgets from `contract/paths` (`x-budget`). `ContractTests` compare these with the route table.
public struct RouteBudget: Hashable, Sendable {
    /// The API's processor time in milliseconds, in a release build.
    public let processor: Int
    /// The API's memory in bytes, apart from the request body.
    public let memory: Int
    /// The time until the response in milliseconds, apart from the waiting time that the caller requests with `wait`.
    public let time: Int

    /// The default budget.
    public static let usual = RouteBudget(processor: 1_000, memory: 64 << 20, time: 10_000)
    /// The budget of a route that hashes a password twice at most: 128 MiB, and the time for those that wait before it.
    public static let password = RouteBudget(processor: 3_000, memory: 320 << 20, time: 15_000)
    /// The budget of a route that proxies and monitors request at intervals.
    public static let probe = RouteBudget(processor: 50, memory: 16 << 20, time: 2_000)
}

/// The most that one request of a route may cost, whatever its limits let a caller send.
///
/// `Tests/Torture/api/test_cost.py` sends hostile requests to every route and compares their cost with its budget. It
/// reads the budgets from `contract/paths` (`x-budget`), which `ContractTests` compare with the route table.
public struct RouteBudget: Hashable, Sendable {
    /// Processor time of the API, in milliseconds, of a release build.
    public let processor: Int
    /// Memory of the API in bytes, without the request's body.
    public let memory: Int
    /// Time until the answer, in milliseconds, without the time that the caller asks for with `wait`.
    public let time: Int

    /// The default budget.
    public static let usual = RouteBudget(processor: 1_000, memory: 64 << 20, time: 10_000)
    /// The budget of a route that proxies and monitors request repeatedly.
    public static let probe = RouteBudget(processor: 50, memory: 16 << 20, time: 2_000)
}

import ArgumentParser
import StrictJSON

/// `waymark withdraw`.
struct WithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Takes a host out of service after a grace, or undoes that.",
        discussion: """
            Asks a running Waymark, with the token in WAYMARK_TOKEN, which has to be an administrator's. The host is \
            served as before until the grace is over; then its aliases end with it. An alias can be withdrawn alone.

              waymark withdraw www.example.com --reason "the campaign is over" --grace 3600
              waymark withdraw www.example.com --undo

            Exit code 0 when it has been accepted or undone; 1 when nothing is live, it is being withdrawn already, or \
            there is nothing to undo; 2 when the request makes no sense; 3 when it could not be done.
            """)

    @Argument(help: "The domain, or the alias.") var host: String
    @Option(help: "Why; kept with the withdrawal.") var reason: String?
    @Option(help: "Seconds for which it is served as before: 60 to 2592000. Without it a day.") var grace: Int?
    @Flag(help: "Undo the withdrawal that is pending.") var undo = false
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if undo, reason != nil || grace != nil { throw ValidationError("--undo takes neither --reason nor --grace.") }
        if !undo, reason == nil { throw ValidationError("Say why: --reason.") }
    }

    func run() async throws {
        let withdrawal = try await RemoteAPI.with(url: remote.url) { api in
            undo ? try await cancel(api) : try await make(api)
        }
        try remote.say(withdrawal, summary(of: withdrawal))
    }

    private var path: String { "/v1/domains/" + RemoteAPI.segment(host) }

    private func make(_ api: RemoteAPI) async throws -> JSONValue {
        var body = JSONObject([("reason", .string(reason ?? ""))])
        if let grace { body["graceSeconds"] = .int(grace) }
        return try remote.accepted(try await api.post("\(path)/withdrawals", .object(body)))
    }

    private func cancel(_ api: RemoteAPI) async throws -> JSONValue {
        let domain = try remote.accepted(try await api.get(path))
        let (pending, domainHost) = (domain["withdrawal"], domain["host"]?.string ?? host)
        guard let id = pending?["id"]?.string else {
            Console.complain("waymark: \(domainHost) is not being withdrawn: there is nothing to undo")
            throw Ending.notRight
        }
        // An alias may be going with its domain: that is undone there.
        if let target = pending?["host"]?.string, target != domainHost {
            Console.complain("waymark: \(domainHost) is being withdrawn with \(target): undo it there")
            throw Ending.notRight
        }
        return try remote.accepted(try await api.delete("\(path)/withdrawals/\(id)"))
    }

    private func summary(of withdrawal: JSONValue) -> String {
        let host = withdrawal["host"]?.string ?? host
        guard withdrawal["state"]?.string == "pending" else { return "\(host): the withdrawal is undone" }
        return "\(host): will be withdrawn at \(withdrawal["dueAt"]?.string ?? "")"
    }
}

import ArgumentParser
import StrictJSON

/// `waymark withdraw`.
struct WithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Takes a host out of service after a grace period, or undoes this.",
        discussion: """
            Uses the API, with an administrator's token in WAYMARK_TOKEN. The host is served until the grace period ends; then \
            it is withdrawn together with its aliases. You can withdraw an alias separately.

              waymark withdraw www.example.com --reason "the campaign is over" --grace 3600
              waymark withdraw www.example.com --undo

            Exit codes: 0 accepted or undone; 1 nothing is live, the host is already being withdrawn, or there is nothing to \
            undo; 2 the request is invalid; 3 other errors.
            """)

    @Argument(help: "The domain or alias.") var host: String
    @Option(help: "The reason, stored with the withdrawal.") var reason: String?
    @Option(help: "The grace period in seconds, 60 to 2592000. The default is a day.") var grace: Int?
    @Flag(help: "Undo the pending withdrawal.") var undo = false
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if undo, reason != nil || grace != nil {
            throw ValidationError("--undo cannot be used with --reason or --grace.")
        }
        if !undo, reason == nil { throw ValidationError("Give the reason with --reason.") }
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
            Console.complain("waymark: \(domainHost) is not being withdrawn, so there is nothing to undo")
            throw Ending.notRight
        }
        // The withdrawal of a domain also withdraws its aliases. So only the domain's withdrawal can be undone.
        if let target = pending?["host"]?.string, target != domainHost {
            Console.complain(
                "waymark: \(domainHost) is being withdrawn with \(target); undo the withdrawal of \(target)")
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

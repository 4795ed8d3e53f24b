import ArgumentParser
import FoundationEssentials
import Glibc
import StrictJSON

/// `waymark token exchange`.
struct TokenExchangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exchange",
        abstract: "Exchanges the token of a CI job for an API token of at most 15 minutes.",
        discussion: """
            Uses the API. No token of Waymark is needed: a trust of the organization says which jobs are accepted. See \
            docs/ci.md.

            In a job of GitHub Actions with the permission `id-token: write`, asks GitHub for the job's token. Later steps of \
            the job have the API token in WAYMARK_TOKEN, and GitHub hides it in logs:

              waymark token exchange --organization acme

            Elsewhere, reads the job's token from WAYMARK_JOB_TOKEN, and prints the API token:

              export WAYMARK_TOKEN=$(waymark token exchange --organization acme)

            Exit codes: 0 success; 2 wrong usage; 3 the token was refused, or another error.
            """)

    @Option(help: "The organization.") var organization: String
    @Option(help: "The audience of the trust. The default is the API's address and the organization.")
    var audience: String?
    @OptionGroup var remote: RemoteOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let jobToken = try await jobToken(environment)
        let made = try await RemoteAPI.with(url: remote.url, as: .nobody) { [organization] api in
            let body: JSONValue = ["organization": .string(organization), "token": .string(jobToken)]
            return try remote.accepted(try await api.post("/v1/token-exchanges", body))
        }
        guard let token = made["token"]?.string else { throw Refusal("the server is not Waymark's API") }
        guard environment["WAYMARK_JOB_TOKEN"] == nil, let file = environment["GITHUB_ENV"] else {
            return try remote.say(made, token)
        }
        try Console.say("::add-mask::\(token)")
        try append("WAYMARK_TOKEN=\(token)\n", to: file)
        Console.complain(
            "Later steps have WAYMARK_TOKEN: \(made["name"]?.line ?? ""), until \(made["expiresAt"]?.string ?? "")")
    }

    /// The job's own token.
    private func jobToken(_ environment: [String: String]) async throws -> String {
        if let token = environment["WAYMARK_JOB_TOKEN"], !token.isEmpty { return token }
        guard let address = environment["ACTIONS_ID_TOKEN_REQUEST_URL"],
            let secret = environment["ACTIONS_ID_TOKEN_REQUEST_TOKEN"], let url = URL(string: address),
            let scheme = url.scheme, let host = url.host(percentEncoded: true)
        else {
            throw Refusal(
                "no token of a CI job: set WAYMARK_JOB_TOKEN, or give the job of GitHub Actions the permission "
                    + "`id-token: write`")
        }
        let port = url.port.map { ":\($0)" } ?? ""
        let audience = audience ?? "\(RemoteAPI.address(remote.url))/\(organization)"
        let query = [url.query(percentEncoded: true), "audience=\(RemoteAPI.segment(audience))"].compactMap(\.self)
        let path = url.path(percentEncoded: true) + "?" + query.joined(separator: "&")
        let answer = try await RemoteAPI.with(url: "\(scheme)://\(host)\(port)", as: .bearer(secret)) {
            try await $0.get(path)
        }
        guard answer.status == 200, let token = answer.body["value"]?.string else {
            throw Refusal("GitHub gave no token for the job: it answered \(answer.status)")
        }
        return token
    }

    private func append(_ line: String, to file: String) throws {
        guard let handle = fopen(file, "a") else { throw Refusal("cannot write \(file)") }
        let isWritten = fputs(line, handle) >= 0
        guard fclose(handle) == 0, isWritten else { throw Refusal("cannot write \(file)") }
    }
}

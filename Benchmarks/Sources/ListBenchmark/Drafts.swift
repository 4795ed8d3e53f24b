import AASA
import FoundationEssentials
import RunningWaymark
import Storage
import StrictJSON

/// Verdicts, findings and changes of a draft with ten rules and of one with a thousand.
enum Drafts {
    static func measure(_ organization: FilledOrganization, _ client: Client) async throws {
        print("draft: median and p99 in ms with 10 rules, with 1,000")
        let hosts = [(organization.host(1), 10), (organization.host(2), 1_000)]
        for (host, rules) in hosts { try await fill(host, rules, organization) }
        try report("verdict of an unchanged draft", hosts) { host, _ in
            try client.times(by: organization.token) { number in
                ("POST", "/v1/domains/\(host)/evaluations", [], #"{"urls":["/page/5/x\#(number)"]}"#, number)
            }
        }
        try report("verdict with an explanation", hosts) { host, _ in
            try client.times(by: organization.token) { number in
                (
                    "POST", "/v1/domains/\(host)/evaluations?explain=true", [], #"{"urls":["/page/5/x\#(number)"]}"#,
                    number
                )
            }
        }
        try report("findings", hosts) { host, _ in
            try client.times(of: "/v1/domains/\(host)/draft/findings", by: organization.token)
        }
        try report("change of a rule", hosts) { host, _ in
            guard let connection = Connection(port: client.port) else { throw Client.Failure.notAnswered }
            let tag =
                try Client.ask(connection, "GET", "/v1/domains/\(host)/draft", organization.token).field("etag") ?? ""
            let first = Int(tag.filter(\.isNumber)) ?? 0
            return try client.times(by: organization.token) { number in
                (
                    "PATCH", "/v1/domains/\(host)/rules/r5", ["If-Match: \"\(first + number)\""],
                    #"{"path":"/page/changed/\#(number)/*"}"#, number
                )
            }
        }
    }

    private static func report(
        _ name: String, _ hosts: [(String, Int)], _ measure: (String, Int) throws -> Client.Times
    ) throws {
        let times = try hosts.map { try measure($0.0, $0.1) }
        print(
            "\(name): "
                + times.map { "\(milliseconds($0.median)) \(milliseconds($0.slow))" }.joined(separator: ", "))
    }

    private static func fill(_ host: String, _ rules: Int, _ organization: FilledOrganization) async throws {
        let rules = (0..<rules).map {
            Rule(id: "r\($0)", fields: RuleFields(path: "/page/\($0)/*", comment: "Rule \($0)"))
        }
        let draft = Draft(entries: [Draft.Entry(id: "entry", apps: [FilledOrganization.app], rules: rules)])
        let host = try Host(host)
        try await organization.store.write(as: organization.id, by: Author(kind: .system, name: "benchmark")) {
            tenant in
            _ = try tenant.saveDraft(draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
        }
    }
}

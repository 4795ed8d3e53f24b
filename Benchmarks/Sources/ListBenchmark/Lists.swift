import FoundationEssentials

/// Every list, search and filter.
enum Lists {
    /// Paths by what they list. Both organizations have something for each.
    private static func paths(of organization: FilledOrganization) -> [(name: String, path: String)] {
        let host = organization.host(organization.domains / 2)
        return [
            ("domains", "/v1/domains"),
            ("domains, last page", "/v1/domains?cursor=\(cursor("www-5", in: "/v1/domains"))"),
            ("domains q=one host", "/v1/domains?q=\(host)"),
            ("domains q=one number", "/v1/domains?q=\(organization.domains / 2)"),
            ("domains q=one customer", "/v1/domains?q=customer7"),
            ("domains q=all", "/v1/domains?q=example"),
            ("domains q=first word of a quarter", "/v1/domains?q=www"),
            ("domains q=nothing", "/v1/domains?q=absent"),
            ("domains label=of a third", "/v1/domains?label=staging"),
            ("domains label=rare", "/v1/domains?label=brand-7"),
            ("domains label=nothing", "/v1/domains?label=absent"),
            ("domains state=live", "/v1/domains?state=live"),
            ("domains state=unverified", "/v1/domains?state=unverified"),
            ("domains state=changed", "/v1/domains?state=changed"),
            ("domains publication=pending", "/v1/domains?publication=pending"),
            ("domains publication=failed", "/v1/domains?publication=failed"),
            ("domains q, label and state", "/v1/domains?q=example&label=staging&state=live"),
            ("apps", "/v1/apps"),
            ("apps q=some", "/v1/apps?q=customer50"),
            ("apps q=all", "/v1/apps?q=shop"),
            ("publications", "/v1/publications"),
            ("publications state=failed", "/v1/publications?state=failed"),
            ("publications state=pending", "/v1/publications?state=pending"),
            ("publications of a host", "/v1/domains/\(host)/publications"),
            ("versions of a host", "/v1/domains/\(host)/versions"),
            ("releases", "/v1/releases"),
            ("releases state=live", "/v1/releases?state=live"),
            ("releases with a host", "/v1/releases?host=\(host)"),
            ("freezes", "/v1/freezes"),
            ("schedules", "/v1/schedules"),
            ("events", "/v1/events?sort=newest"),
            ("events kind=rare", "/v1/events?sort=newest&kind=token.created"),
            ("events of a host", "/v1/events?sort=newest&host=\(host)"),
            ("one domain", "/v1/domains/\(host)"),
        ]
    }

    /// A cursor as the API makes it: a mark of the list and the key.
    private static func cursor(_ key: String, in list: String) -> String {
        let hash = list.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        let text = String(repeating: "0", count: 8 - digits.count) + digits + key
        return Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static func compare(
        _ small: FilledOrganization, _ large: FilledOrganization, _ client: Client
    ) throws {
        print(
            """
            list: median and p99 in ms with 60 domains, with \(large.domains); ratio of the medians. A list that finds \
            less than a page with 60 domains is compared with a full page of domains
            """)
        var slowest = 0.0
        let fullPage = try client.times(of: "/v1/domains", by: small.token).median
        for (one, other) in zip(paths(of: small), paths(of: large)) {
            let before = try client.times(of: one.path, by: small.token)
            let after = try client.times(of: other.path, by: large.token)
            let again = try client.times(of: one.path, by: small.token)
            let ratio = after.median / max(min(before.median, again.median), fullPage)
            slowest = max(slowest, ratio)
            print(
                "\(one.name): \(milliseconds(min(before.median, again.median))) \(milliseconds(before.slow)), "
                    + "\(milliseconds(after.median)) \(milliseconds(after.slow)), \(milliseconds(ratio))")
        }
        print("largest ratio: \(milliseconds(slowest)) (the goal is 2)")
    }
}

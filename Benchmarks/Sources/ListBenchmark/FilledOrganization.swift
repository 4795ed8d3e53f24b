import AASA
import FoundationEssentials
import Postgres
import Storage
import StrictJSON

/// An organization with many domains. It writes thousands of rows at a time, as the service would write them one by one.
struct FilledOrganization: Sendable {
    static let app = "ABCDE12345.com.example.app"
    private static let author = Author(kind: .system, name: "benchmark")

    let id = ID<Organization>()
    let store: Store
    let domains: Int
    private let pool: PostgresPool
    /// The first of the activations on its claims.
    private let firstActivation: Int
    /// A token with all rights.
    let token: String
    let slug: String

    init(_ pool: PostgresPool, _ slug: String, domains: Int, firstActivation: Int) async throws {
        let id = id
        self.pool = pool
        store = Store(pool: pool)
        self.domains = domains
        self.slug = slug
        self.firstActivation = firstActivation
        token = try await store.write(as: id, by: Self.author) { tenant in
            _ = try tenant.createOrganization(slug: slug, name: slug)
            _ = try tenant.createTeam(TeamID("ABCDE12345"), name: "Team")
            return try tenant.createToken(name: "benchmark", role: .owner).secret.text
        }
        for start in stride(from: 1, through: domains, by: 5_000) {
            try await fill(start...min(start + 4_999, domains))
        }
    }

    /// The host of a number, one of a thousand customers'.
    func host(_ number: Int) -> String {
        "\(["app", "go", "links", "www"][number % 4])-\(number).customer\(number % 1_000)-\(slug).example"
    }

    private func fill(_ numbers: ClosedRange<Int>) async throws {
        let rules = (0..<10).map { Rule(id: "r\($0)", fields: RuleFields(path: "/\($0)/section/*")) }
        let draft = Draft(entries: [Draft.Entry(id: "entry", apps: [Self.app], rules: rules)])
        let (text, file) = (String(decoding: draft.json.bytes(), as: UTF8.self), draft.association().bytes)
        let organization = id.uuid
        let hosts = numbers.map(host)
        let statements: [SQL] = [
            """
            insert into apps (organization_id, app_id, prefix, bundle_id, team_id, name, kind)
            select \(organization), 'ABCDE12345.com.customer' || number || '.shop', 'ABCDE12345',
              'com.customer' || number || '.shop', 'ABCDE12345', 'Shop of customer ' || number, 'app'
            from generate_series(\(numbers.lowerBound)::bigint, \(numbers.upperBound)::bigint) as number
            where number % 10 = 0
            """,
            """
            insert into domains (organization_id, host, labels, last_version)
            select \(organization), host, array[
                case number % 3 when 0 then 'production' when 1 then 'staging' else 'preview' end,
                'brand-' || number % 500], 3
            from unnest(\(hosts)::text[]) with ordinality as listed (host, number)
            """,
            """
            insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
            select \(organization), host, 2, \(text)::json, \(digest(file)), \(file.count)
            from unnest(\(hosts)::text[]) as host
            """,
            """
            insert into draft_apps (organization_id, host, app_id)
            select \(organization), host, \(Self.app) from unnest(\(hosts)::text[]) as host
            """,
            """
            insert into blobs (organization_id, sha256, bytes) values (\(organization), \(digest(file)), \(file))
            on conflict do nothing
            """,
            """
            insert into versions (
              organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report)
            select \(organization), host, number, \(digest(file)), \(file.count), 2, '', 'user', 'u', '{"passed":true}'
            from unnest(\(hosts)::text[]) as host, generate_series(1, 3) as number
            """,
            """
            insert into publications (
              organization_id, id, host, version, state, message, overrides, requester_kind, requester_name, report,
              activation, created_at, ended_at, cause)
            select \(organization), gen_random_uuid(), host, version, state, '', false, 'user', 'u', '{"passed":true}',
              case when state = 'live' then 1 end, now() - (4 - version) * interval '1 day' + number * interval '1 ms',
              case when state <> 'scheduled' then now() - (4 - version) * interval '1 day' end,
              case when state in ('suspended', 'failed') then 'benchmark' end
            from (
              select host, number, version, case
                when version = 3 and number % 500 = 5 then 'scheduled'
                when version = 3 and number % 500 = 6 then 'suspended'
                when version = 3 and number % 500 = 7 then 'failed' else 'live'
              end as state
              from unnest(\(hosts)::text[]) with ordinality as listed (host, number), generate_series(1, 3) as version
            ) as made
            """,
            """
            insert into claims (host, organization_id, domain, version, activation, sha256, size, live_since)
            select host, \(organization), host, case when number % 500 > 2 then 3 end,
              case when number % 500 > 1 then \(firstActivation + numbers.lowerBound)::bigint + number end,
              case when number % 500 > 2 then \(digest(file))::bytea end,
              case when number % 500 > 2 then \(file.count)::bigint end,
              case when number % 500 > 2 then now() - interval '2 days' end
            from unnest(\(hosts)::text[]) with ordinality as listed (host, number)
            where number % 500 > 0
            """,
            """
            insert into releases (
              organization_id, id, state, message, overrides, dry_run, requester_kind, requester_name, ended_at, counts)
            select \(organization), gen_random_uuid(), 'cancelled', '', false, false, 'user', 'u', now(), '{"frozen":50}'
            from generate_series(1, \(numbers.count)::bigint / 50 + 1)
            """,
            """
            insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
            select \(organization), 'user', 'u', 'domain.created', host, host, '{}' from unnest(\(hosts)::text[]) as host
            """,
        ]
        try await pool.write(as: organization, deadline: .seconds(60)) { database in
            for statement in statements { try database.execute(statement) }
        }
    }
}

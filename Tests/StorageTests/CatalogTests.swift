import Postgres
import TestSupport
import Testing

/// The tables that belong to no tenant (`ARCHITECTURE.md`). The migrator's ledger is not in the list.
private let closedList: Set = [
    "organizations", "users", "memberships", "credentials", "sign_in_codes", "sessions", "sign_in_failures",
    "invitations", "recovery_codes", "passkeys", "passkey_challenges",
    "identities", "sign_in_attempts", "sign_ups", "mails", "claims", "jobs",
    "activation_counter", "consumers", "sinks", "sink_objects", "unplaced_events",
    "unsealed_trails", "rate_counts", "ended_hosts", "account_idempotency_keys",
]

@Suite("Catalog")
struct CatalogTests {
    /// Runs a query over the catalog. Each row is one line.
    private func lines(_ query: SQL) async throws -> [String] {
        try await withDatabase { database in
            try await database.owner.read { db in try db.query(query).map { try $0.decode(0, as: String.self) } }
        }
    }

    @Test("every table belongs to a tenant, with row level security, or is on the closed list")
    func tables() async throws {
        let others = try await lines(
            """
            select relname::text from pg_class
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
              and not exists (
                select from pg_policy where polrelid = pg_class.oid and polname = 'organization_of_the_transaction')
            """)
        let ledger = Set(others).subtracting(closedList)
        #expect(closedList.isSubset(of: others))
        #expect(ledger.count == 1, "besides the migrations' own table: \(ledger)")
        #expect(ledger.allSatisfy { $0.contains("migration") })
    }

    @Test("every tenant's table has row level security enabled and forced, with the same single policy")
    func rowLevelSecurity() async throws {
        let tables = try await lines(
            """
            select format(
              '%s %s %s %s', relname, relrowsecurity, relforcerowsecurity, (
                select string_agg(
                  format(
                    '%s %s %s %s %s %s', polname, polcmd, polpermissive, polroles::text,
                    pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), ';')
                from pg_policy where polrelid = pg_class.oid))
            from pg_class
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
              and exists (
                select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id')
              and relname <> all(\(Array(closedList)))
            order by relname
            """)
        let condition = "(organization_id = transaction_organization())"
        let secured = "t t organization_of_the_transaction * t {0} \(condition) \(condition)"
        #expect(tables.count == 39)
        for table in tables {
            #expect(table.split(separator: " ", maxSplits: 1).last.map(String.init) == secured, "\(table)")
        }
    }

    @Test("a migration isolates a new table with isolate_by_organization, which the runtime role may not call")
    func isolation() async throws {
        try await withDatabase { database in
            try await database.owner.write { db in
                try db.execute("create table things (organization_id uuid not null)")
                try db.execute("select isolate_by_organization('things')")
            }
            let sharedForm: SQL = """
                select count(*) from (
                  select relrowsecurity, relforcerowsecurity, polname, polcmd, polpermissive, polroles,
                    pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)
                  from pg_class join pg_policy on polrelid = pg_class.oid
                  where relname in ('things', 'teams')
                  group by 1, 2, 3, 4, 5, 6, 7, 8
                  having count(*) = 2
                ) as shared
                """
            let shared = try await database.owner.read { try $0.first(sharedForm)?.decode(0, as: Int.self) }
            #expect(shared == 1, "the new table is secured as the table teams is")
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.write { try $0.execute("select isolate_by_organization('teams')") }
            }
            #expect(error?.sqlState == "42501")
        }
    }

    @Test("the key of every tenant's table begins with the organization")
    func keys() async throws {
        let wrong = try await lines(
            """
            select relname::text
            from pg_class
            join pg_policy on polrelid = pg_class.oid
            left join pg_constraint on conrelid = pg_class.oid and contype = 'p'
            left join pg_attribute on attrelid = pg_class.oid and attnum = conkey[1]
            where attname is distinct from 'organization_id' or not attnotnull
            """)
        #expect(wrong == [])
    }

    @Test("every foreign key between tenants' tables contains the organization")
    func foreignKeys() async throws {
        let keys = try await lines(
            """
            select format('%s %s', conname, (
              select count(*) from unnest(conkey, confkey) as pairs (here, there)
              join pg_attribute as a on a.attrelid = conrelid and a.attnum = here
              join pg_attribute as b on b.attrelid = confrelid and b.attnum = there
              where a.attname = 'organization_id' and b.attname = 'organization_id' and a.attnotnull))
            from pg_constraint
            where contype = 'f' and connamespace = 'public'::regnamespace
              and exists (select from pg_attribute where attrelid = conrelid and attname = 'organization_id')
              and exists (select from pg_attribute where attrelid = confrelid and attname = 'organization_id')
            order by conname
            """)
        #expect(keys.count >= 9)
        #expect(keys.filter { !$0.hasSuffix(" 1") } == [])
    }

    @Test("nothing bypasses row level security: no definer function, no view, no rule")
    func definers() async throws {
        let wrong = try await lines(
            """
            select 'function ' || proname from pg_proc
            where pronamespace = 'public'::regnamespace and prosecdef
            union all
            select 'view ' || relname from pg_class
            where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')
            union all
            select 'rule ' || rulename from pg_rewrite
            join pg_class on pg_class.oid = ev_class
            where relnamespace = 'public'::regnamespace
            """)
        #expect(wrong == [])
    }

    @Test("the runtime role owns nothing, has no special rights and belongs to no role")
    func runtimeRole() async throws {
        let role = TestCluster.runtime
        let wrong = try await lines(
            """
            with me as (select * from pg_roles where rolname = \(role))
            select 'power' from me
            where rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
            union all
            select 'member of ' || roleid::regrole from pg_auth_members join me on member = me.oid
            union all
            select 'owns ' || classid::regclass || ' ' || objid from pg_shdepend join me on refobjid = me.oid
            where deptype = 'o' and dbid in (0, (select oid from pg_database where datname = current_database()))
            union all
            select 'may create in ' || nspname from pg_namespace, me
            where has_schema_privilege(me.oid, pg_namespace.oid, 'create')
            union all
            select 'may create schemas' from me
            where has_database_privilege(me.oid, current_database(), 'create')
              or has_database_privilege(me.oid, current_database(), 'temporary')
            union all
            select 'may ' || power || ' ' || relname
            from pg_class, me, unnest(array['truncate', 'references', 'trigger']) as power
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
              and has_table_privilege(me.oid, pg_class.oid, power)
            """)
        #expect(wrong == [])
        #expect(try await lines("select rolname::text from pg_roles where rolname = \(role)") == [role])
    }

    @Test(
        "the runtime role is refused DDL and other roles' rights",
        arguments: [
            "create table intruder (id integer)", "create temporary table intruder (id integer)",
            "alter table teams disable row level security", "alter table teams no force row level security",
            "drop policy organization_of_the_transaction on teams", "create policy all_rows on teams using (true)",
            "truncate teams", "truncate claims", "drop table teams", "set role waymark_owner",
            "set role postgres", "set session authorization waymark_owner", "grant waymark_owner to waymark_runtime",
            "alter role waymark_runtime bypassrls", "set session_replication_role = replica",
            "create function intruder() returns void language sql as ''", "create schema intruder",
            "alter table audit_entries disable trigger all",
        ] as [SQL])
    func refused(statement: SQL) async throws {
        try await withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.runtime.write { try $0.execute(statement) }
            }
            #expect(error?.sqlState == "42501", "\(String(describing: error))")
        }
    }

    @Test("constraints are named by their meaning, not by PostgreSQL")
    func names() async throws {
        let numbered = try await lines(
            """
            select conname::text from pg_constraint
            where connamespace = 'public'::regnamespace and conname ~ '_(pkey|fkey[0-9]*|check[0-9]*)$'
              and conrelid::regclass::text !~ 'migration'
            """)
        #expect(numbered == [])
    }
}

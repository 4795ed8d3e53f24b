/// Checks that the service's role has only the required rights. If it could change the schema or bypass row level
/// security, only our queries would keep tenants apart.
public struct RuntimeRoleCheck: Sendable {
    /// The rights that the role should not have. Empty if the role is safe.
    public let faults: [String]
    /// The role's name.
    public let role: String

    /// True if the role is safe, so the service can start.
    public var isPassed: Bool { faults.isEmpty }

    /// Checks the role that the pool connects as.
    ///
    /// - Throws: `PostgresError`.
    public init(_ pool: PostgresPool) async throws {
        (role, faults) = try await pool.read { db in
            let role = try db.first("select current_user::text")?.decode(0, as: String.self) ?? ""
            return (role, try db.query(Self.findings).map { row throws(PostgresError) in try row.decode(0) })
        }
    }

    /// Also finds the rights of roles that this role is a member of, because it can use them at any time.
    private static let findings: SQL = """
        with powers as (
            select r.rolname, r.oid, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication
            from pg_roles r
            where pg_has_role(current_user, r.oid, 'member')
        ),
        findings (text) as (
            select 'is a superuser' || via from (
                select case when rolname = current_user then '' else ' through ' || rolname end as via
                from powers where rolsuper) s
            union all
            select 'bypasses row level security' || via from (
                select case when rolname = current_user then '' else ' through ' || rolname end as via
                from powers where rolbypassrls) s
            union all
            select 'may create roles' from powers where rolcreaterole
            union all
            select 'may create databases' from powers where rolcreatedb
            union all
            select 'may replicate' from powers where rolreplication
            union all
            select 'has the role ' || rolname from powers
            where rolname in (
                'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
            union all
            select 'owns ' || count(*) || ' relation(s), such as ' || min(c.relname)
            from pg_class c join powers p on p.oid = c.relowner
            where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
            having count(*) > 0
            union all
            select 'may create in the schema ' || nspname
            from pg_namespace
            where nspname !~ '^pg_' and nspname <> 'information_schema'
                and has_schema_privilege(current_user, oid, 'create')
            union all
            select 'may create schemas in this database'
            where has_database_privilege(current_user, current_database(), 'create')
            union all
            select 'may truncate ' || count(*) || ' table(s), such as ' || min(c.relname)
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
                and has_table_privilege(current_user, c.oid, 'truncate')
            having count(*) > 0
        )
        select distinct text from findings order by text
        """
}

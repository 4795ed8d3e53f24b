public import Logging

/// Creates the three roles and the database (`waymark database prepare`).
///
/// - The **owner** owns the database and its schema, and runs migrations. The service never uses it.
/// - The **runtime** role reads and writes rows. It cannot run DDL or bypass row level security.
/// - The **backup** role reads all data and bypasses row level security, as `pg_dump` requires. It cannot write.
///
/// Roles belong to the whole cluster, so a migration cannot create them. You can run it again: existing roles keep
/// their passwords unless new ones are given.
public struct DatabasePreparation: Sendable {
    /// The key of the advisory lock: `prepare` in ASCII. It must not change.
    private static let lock = 0x70_7265_7061_7265

    /// A role's name, and optionally its password.
    public struct Role: Sendable {
        /// The role's name.
        public var name: String
        /// The password to set, or `nil` to keep the current one.
        public var password: String?

        /// Creates a role.
        public init(_ name: String, password: String? = nil) {
            self.name = name
            self.password = password
        }
    }

    /// The database's name. Default `waymark`.
    public var database = "waymark"
    /// The role that owns the database and runs migrations. Default `waymark_owner`.
    public var owner = Role("waymark_owner")
    /// The role of the service. Default `waymark_runtime`.
    public var runtime = Role("waymark_runtime")
    /// The role for backups. Default `waymark_backup`.
    public var backup = Role("waymark_backup")

    /// Creates a preparation with the default names and without passwords.
    public init() {}

    /// Creates missing roles, the database and rights, and corrects those that differ.
    ///
    /// - Parameter superuser: A connection to any database of the cluster, as a superuser: in PostgreSQL 15, no other role
    ///   can create one with `bypassrls`.
    /// - Throws: `PostgresError`; `.configuration` if two names are equal.
    public func prepare(_ superuser: PostgresConfiguration, logger: Logger) async throws {
        guard Set([owner.name, runtime.name, backup.name]).count == 3 else {
            throw PostgresError(.configuration, "the three roles must have different names")
        }
        let cluster = PostgresPool(superuser, logger: logger)
        let inside = PostgresPool(superuser.with(database: database), logger: logger)
        do {
            try await cluster.write { db in
                // Without the lock, two concurrent runs could both try to create the same role.
                try db.execute("select pg_advisory_xact_lock(\(Self.lock))")
                try role(owner, "login nosuperuser nobypassrls nocreatedb nocreaterole noreplication", db)
                try role(runtime, "login nosuperuser nobypassrls nocreatedb nocreaterole noreplication", db)
                try role(backup, "login nosuperuser bypassrls nocreatedb nocreaterole noreplication", db)
                // A role that is not a superuser can give a database only to a role that it is a member of.
                try db.execute(
                    """
                    select set_config('waymark.owner', \(owner.name), true)
                    """)
                try db.runScript(
                    """
                    do $$ begin
                        if not pg_has_role(current_user, current_setting('waymark.owner'), 'member') then
                            execute format('grant %I to %I', current_setting('waymark.owner'), current_user);
                        end if;
                    end $$
                    """)
            }
            try await createDatabase(cluster, logger: logger)
            try await inside.write { db in try grant(db) }
        } catch {
            await cluster.close()
            await inside.close()
            throw error
        }
        await cluster.close()
        await inside.close()
        logger.info("database prepared", metadata: ["database": "\(database)"])
    }

    private func role(_ role: Role, _ attributes: SQL, _ db: Database) throws(PostgresError) {
        let exists = try db.first("select from pg_roles where rolname = \(role.name)") != nil
        if !exists { try db.execute("create role \(identifier: role.name)") }
        try db.execute("alter role \(identifier: role.name) with \(fragment: attributes)")
        guard let password = role.password else { return }
        // Send a SCRAM verifier, because the server may log the statement, and the log must not contain the password.
        let verifier = try db.connection.wire.scramVerifier(password: password, user: role.name)
        var statement: SQL = "alter role \(identifier: role.name) password "
        statement.append(text: "'\(verifier)'")
        try db.execute(statement)
    }

    private func createDatabase(_ cluster: PostgresPool, logger: Logger) async throws {
        let name = database
        let owner = owner.name
        let isMissing = try await cluster.read { db in
            try db.first("select from pg_database where datname = \(name)") == nil
        }
        // `create database` cannot run in a transaction.
        guard isMissing else { return }
        do {
            try await cluster.outsideTransaction(deadline: .seconds(60)) { db in
                try db.execute(
                    "create database \(identifier: name) owner \(identifier: owner) encoding 'UTF8' template template0")
            }
        } catch let error as PostgresError where error.sqlState == "42P04" {
            logger.debug("another process has created the database in the meantime")
        }
    }

    private func grant(_ db: Database) throws(PostgresError) {
        let statements: [SQL] = [
            "alter database \(identifier: database) owner to \(identifier: owner.name)",
            "revoke all on database \(identifier: database) from public",
            "grant connect, temporary on database \(identifier: database) to \(identifier: owner.name)",
            "revoke create, temporary on database \(identifier: database) from \(identifier: runtime.name)",
            "grant connect on database \(identifier: database) to \(identifier: runtime.name)",
            "grant connect on database \(identifier: database) to \(identifier: backup.name)",
            "alter schema public owner to \(identifier: owner.name)",
            "revoke all on schema public from public",
            "revoke create on schema public from \(identifier: runtime.name)",
            "grant usage on schema public to \(identifier: runtime.name)",
            "grant usage on schema public to \(identifier: backup.name)",
            """
            alter default privileges for role \(identifier: owner.name) in schema public
            grant select, insert, update, delete on tables to \(identifier: runtime.name)
            """,
            """
            alter default privileges for role \(identifier: owner.name) in schema public
            grant usage, select on sequences to \(identifier: runtime.name)
            """,
            """
            alter default privileges for role \(identifier: owner.name) in schema public
            grant select on tables to \(identifier: backup.name)
            """,
            """
            alter default privileges for role \(identifier: owner.name) in schema public
            grant select on sequences to \(identifier: backup.name)
            """,
        ]
        for statement in statements { try db.execute(statement) }
    }
}

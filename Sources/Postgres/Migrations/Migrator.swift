public import Logging

/// Applies migrations, forward only. Each file runs in its own transaction and is recorded in a ledger.
///
/// Several migrators can run at the same time: one works, and the others wait. The connection must use the owner role.
public struct Migrator: Sendable {
    /// The time limit for one migration.
    private static let deadline: Duration = .seconds(600)
    /// The key of the advisory lock: `waymark` in ASCII. It must not change.
    private static let lock = 0x77_6179_6d61_726b

    private let migrations: [Migration]
    private let logger: Logger

    /// Creates a migrator for a list of migrations, in any order.
    ///
    /// - Throws: `.duplicate`, `.gap`.
    public init(migrations: [Migration], logger: Logger) throws(MigrationError) {
        let sorted = migrations.sorted { $0.number < $1.number }
        for (expected, migration) in zip(1..., sorted) where migration.number != expected {
            throw migration.number < expected ? .duplicate(number: migration.number) : .gap(missing: expected)
        }
        self.migrations = sorted
        self.logger = logger
    }

    /// Creates a migrator for a folder of files `NNNN_name.sql`.
    ///
    /// - Throws: `.unreadable`, `.misnamed`, `.duplicate`, `.gap`.
    public init(directory: String, logger: Logger) throws(MigrationError) {
        try self.init(migrations: Migration.load(fromDirectory: directory), logger: logger)
    }

    /// Applies the missing migrations.
    ///
    /// - Returns: The migrations that this call has applied.
    /// - Throws: `MigrationError`, `PostgresError`. The migrations before the failed one stay applied.
    @discardableResult
    public func migrate(_ pool: PostgresPool) async throws -> [Migration] {
        try await pool.write(deadline: Self.deadline) { db in
            try Self.takeLock(db)
            try db.createLedgerIfMissing()
        }
        var applied: [Migration] = []
        while let migration = try await applyNext(pool) { applied.append(migration) }
        return applied
    }

    /// Checks that the database has exactly the migrations of this version. Changes nothing. The service runs this
    /// check when it starts.
    ///
    /// - Throws: `.databaseIsOlder`, `.databaseIsNewer`, `.edited`; `PostgresError`.
    public func check(_ pool: PostgresPool) async throws {
        let applied = try await pool.read { db in
            let exists = try db.first("select to_regclass('public.schema_migrations') is not null")
            guard try exists?.decode(0, as: Bool.self) == true else { return 0 }
            return try countApplied(db)
        }
        if applied < migrations.count {
            throw MigrationError.databaseIsOlder(applied: applied, known: migrations.count)
        }
    }

    /// Applies the first missing migration. Returns `nil` if no migration is missing.
    private func applyNext(_ pool: PostgresPool) async throws -> Migration? {
        try await pool.write(deadline: Self.deadline) { db in
            try Self.takeLock(db)
            let applied = try countApplied(db)
            guard applied < migrations.count else { return nil }
            let migration = migrations[applied]
            // Write the ledger's row first. Even without the lock, its primary key would stop a second migrator.
            try db.execute(
                """
                insert into public.schema_migrations (number, name, sha256)
                values (\(migration.number), \(migration.name), \(migration.sha256))
                """)
            do throws(PostgresError) {
                try db.runScript(migration.sql)
            } catch {
                if error.kind == .misuse { throw MigrationError.controlsTransaction(migration: migration.label) }
                throw MigrationError.failed(migration: migration.label, error)
            }
            logger.info("migrated", metadata: ["migration": "\(migration.label)"])
            return migration
        }
    }

    /// Takes a lock that PostgreSQL releases at the end of the transaction, so it also works through a pooler.
    private static func takeLock(_ db: Database) throws(PostgresError) {
        try db.execute("select pg_advisory_xact_lock(\(lock))")
    }

    /// Compares the ledger with the files. Returns the number of applied migrations.
    private func countApplied(_ db: Database) throws -> Int {
        let rows = try db.query("select number, name, sha256 from public.schema_migrations order by number")
        for (index, row) in rows.enumerated() {
            let (number, name, sha256) = try row.decode(Int.self, String.self, String.self)
            guard number == index + 1 else { throw MigrationError.gap(missing: index + 1) }
            guard index < migrations.count else {
                throw MigrationError.databaseIsNewer(applied: rows.count, known: migrations.count)
            }
            guard sha256 == migrations[index].sha256 else {
                throw MigrationError.edited(migration: Migration(number: number, name: name, sql: "").label)
            }
        }
        return rows.count
    }
}

extension Database {
    /// Runs several statements inside the transaction.
    ///
    /// - Throws: `.server` for the first refused statement; `.misuse` if the text began or ended a transaction.
    func runScript(_ text: String) throws(PostgresError) {
        // Opens the transaction, if it is not open yet.
        let identifier = try transactionIdentifier()
        for result in try connection.wire.runScript(text, until: deadline) {
            guard let error = result.error else { continue }
            let refusal = PostgresError(server: error)
            failure = refusal
            throw refusal
        }
        guard try transactionIdentifier() == identifier else {
            let misuse = PostgresError(.misuse, "the text begins or ends a transaction")
            failure = misuse
            throw misuse
        }
    }

    private func transactionIdentifier() throws(PostgresError) -> String? {
        try first("select pg_current_xact_id()::text")?.decode(0, as: String.self)
    }

    /// Creates the ledger. Removes the write access to it that a role may have by default.
    fileprivate func createLedgerIfMissing() throws(PostgresError) {
        try runScript(
            """
            create table if not exists public.schema_migrations (
                number integer constraint schema_migrations_pkey primary key,
                name text not null,
                sha256 text not null,
                applied_at timestamptz not null default now()
            );
            do $$
            declare
                grantee text;
            begin
                for grantee in
                    select distinct r.rolname
                    from pg_class c
                    cross join lateral aclexplode(c.relacl) a
                    join pg_roles r on r.oid = a.grantee
                    where c.oid = 'public.schema_migrations'::regclass and a.grantee <> c.relowner
                loop
                    execute format('revoke all on public.schema_migrations from %I', grantee);
                    execute format('grant select on public.schema_migrations to %I', grantee);
                end loop;
            end
            $$;
            """)
    }
}

public import Logging

/// Brings the schema up to date: forward only, each file in a transaction of its own, entered in a ledger.
///
/// Any number of migrators may run at once; one works, the others wait. It needs the owner role's connection.
public struct Migrator: Sendable {
    /// How long one migration may take.
    private static let deadline: Duration = .seconds(600)
    /// Any number will do, as long as it stays the same: `waymark` in ASCII, in hexadecimal.
    private static let lock = 0x77_6179_6d61_726b

    private let migrations: [Migration]
    private let logger: Logger

    /// A migrator for a list of migrations, in any order.
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

    /// A migrator for a folder of files `NNNN_name.sql`.
    ///
    /// - Throws: `.unreadable`, `.misnamed`, `.duplicate`, `.gap`.
    public init(directory: String, logger: Logger) throws(MigrationError) {
        try self.init(migrations: Migration.load(fromDirectory: directory), logger: logger)
    }

    /// Applies what is missing.
    ///
    /// - Returns: the migrations applied now.
    /// - Throws: `MigrationError`, `PostgresError`. What was applied before the error stays applied.
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

    /// Sees whether the database is what this version expects, without changing it: for the runtime role, at start.
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

    /// - Returns: nil when none is missing.
    private func applyNext(_ pool: PostgresPool) async throws -> Migration? {
        try await pool.write(deadline: Self.deadline) { db in
            try Self.takeLock(db)
            let applied = try countApplied(db)
            guard applied < migrations.count else { return nil }
            let migration = migrations[applied]
            // The ledger's row first: even without the lock no second migrator could get past it.
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

    /// Held until the end of the transaction, so that it works behind a pooler as well.
    private static func takeLock(_ db: Database) throws(PostgresError) {
        try db.execute("select pg_advisory_xact_lock(\(lock))")
    }

    /// Compares the ledger with the files.
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
    /// Runs a text of several statements inside the transaction.
    ///
    /// - Throws: `.server` with the first refusal; `.misuse` when the text has begun or ended a transaction.
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

    /// The ledger. Whoever may read and write the owner's tables by default may only read this one.
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

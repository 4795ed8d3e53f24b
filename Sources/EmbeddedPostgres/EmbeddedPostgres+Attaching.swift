public import Postgres

extension EmbeddedPostgres {
    /// The configuration for a server that another of our processes runs on this data, or `nil` if none is ready. For
    /// commands that run at the same time as that process.
    public static func configuration(
        ofServerRunningOn dataDirectory: String, database: String, role: String
    ) -> PostgresConfiguration? {
        let directory = DataDirectory(path: dataDirectory)
        guard directory.postmaster?.isReady == true else { return nil }
        return PostgresConfiguration(keywords: ["host": directory.socketDirectory, "dbname": database, "user": role])
    }
}

public import Postgres

extension EmbeddedPostgres {
    /// How to connect to the server that another process of ours runs on these data, for a command that has something
    /// to do meanwhile; nil when none is ready.
    public static func configuration(
        ofServerRunningOn dataDirectory: String, database: String, role: String
    ) -> PostgresConfiguration? {
        let directory = DataDirectory(path: dataDirectory)
        guard directory.postmaster?.isReady == true else { return nil }
        return PostgresConfiguration(keywords: ["host": directory.socketDirectory, "dbname": database, "user": role])
    }
}

public import Postgres

extension EmbeddedPostgres {
    /// The configuration for a server that another Waymark process runs on this data, or `nil` if no server is ready.
    /// Commands use it to connect to the server of a running `serve`.
    public static func configuration(
        ofServerRunningOn dataDirectory: String, database: String, role: String
    ) -> PostgresConfiguration? {
        let directory = DataDirectory(path: dataDirectory)
        guard directory.postmaster?.isReady == true else { return nil }
        return PostgresConfiguration(keywords: ["host": directory.socketDirectory, "dbname": database, "user": role])
    }
}

import CLibPQ
import Timing

/// The settings and limits for connections to PostgreSQL.
///
/// A connection is given as a URL (`postgres://user@host:5432/database?sslmode=verify-full`) or as keywords
/// (`host=/run/postgresql dbname=waymark`), in libpq's syntax. Several hosts and certificates are supported. Missing
/// values are read from libpq's environment variables (`PGHOST` …).
public struct PostgresConfiguration: Sendable {
    /// libpq's keywords and values, including the password.
    var keywords: [String: String]

    /// The maximum number of connections of the pool. Default 8.
    public var maximumConnections = 8
    /// The maximum number of callers waiting for a connection. Default 1,024.
    public var maximumWaiters = 1024
    /// The longest time that a caller waits for a connection. After it, the error is `.poolExhausted`. Default 1.9 s,
    /// so that the caller has a result within 2 s.
    public var maximumWait: Duration = .milliseconds(1900)
    /// The time limit of an access, including waiting. After it, the error is `.deadline`. Default 4 s, so that two
    /// accesses in one request rarely exceed 5 s.
    public var deadline: Duration = .seconds(4)
    /// The time limit for connecting. Default 3 s. It does not include the DNS look-up.
    public var connectTimeout: Duration = .seconds(3)
    /// The server's time limit for a statement. An access with a longer deadline raises it. Default 10 s.
    public var statementTimeout: Duration = .seconds(10)
    /// The server's time limit for waiting for a lock. Default 3 s.
    public var lockTimeout: Duration = .seconds(3)
    /// The server's time limit for an idle transaction. Default 10 s.
    public var idleInTransactionTimeout: Duration = .seconds(10)
    /// The time that an unused connection stays open. Default 60 s.
    public var idleLifetime: Duration = .seconds(60)
    /// The maximum number of prepared statements of a connection. Default 256.
    public var maximumPreparedStatements = 256
    /// True if connections go through a pooler in transaction mode. Then nothing is set for the session, no statements
    /// are prepared, and each transaction sets its limits. Default false.
    public var isPooled = false
    /// The name in `pg_stat_activity`. Default `waymark`.
    public var applicationName = "waymark"

    /// Parses a URL or keywords with libpq's parser.
    ///
    /// - Throws: `.configuration`. The message does not quote the URL, because the invalid part may be the password.
    public init(url: String) throws(PostgresError) {
        guard !url.utf8.contains(0) else { throw PostgresError(.configuration, "the URL contains a NUL") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            // libpq's message quotes the part that it could not parse, which may be the password.
            throw PostgresError(.configuration, "neither a PostgreSQL URL nor keyword=value pairs")
        }
        defer { PQconninfoFree(options) }
        keywords = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { keywords[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
    }

    /// Creates a configuration from libpq's keywords (`host`, `dbname`, …), with default limits.
    package init(keywords: [String: String]) {
        self.keywords = keywords
    }

    /// Returns a configuration for another database on the same server, with the same limits.
    public func with(database: String) -> PostgresConfiguration {
        var copy = self
        copy.keywords["dbname"] = database
        return copy
    }

    /// The keywords for libpq: the given ones, and our defaults for missing ones.
    var connectionKeywords: [String: String] {
        var all = keywords
        let ours = [
            "application_name": applicationName, "client_encoding": "UTF8",
            "keepalives": "1", "keepalives_idle": "30", "keepalives_interval": "5", "keepalives_count": "3",
            "tcp_user_timeout": "15000",
        ]
        all.merge(ours) { given, _ in given }
        if !isPooled {
            all["options"] = [keywords["options"], sessionOptions].compactMap(\.self).joined(separator: " ")
        }
        return all
    }

    // JIT is off because our statements are short. If the planner overestimates the rows, compiling takes a hundred
    // times as long as running.
    private var sessionOptions: String {
        """
        -c TimeZone=UTC -c DateStyle=ISO -c bytea_output=hex -c extra_float_digits=1 -c jit=off \
        -c statement_timeout=\(statementTimeout.wholeMilliseconds) -c lock_timeout=\(lockTimeout.wholeMilliseconds) \
        -c idle_in_transaction_session_timeout=\(idleInTransactionTimeout.wholeMilliseconds)
        """
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    /// The host, port, database and user, without the password.
    public var description: String {
        ["host", "port", "dbname", "user"]
            .compactMap { key in keywords[key].map { "\(key)=\($0)" } }
            .joined(separator: " ")
    }

    /// Contains only the description, so that `dump` does not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["connection": description]) }
}

import CLibPQ
import Timing

/// How to connect, and the limits of connections.
///
/// The connection is a URL (`postgres://user@host:5432/database?sslmode=verify-full`) or keywords
/// (`host=/run/postgresql dbname=waymark`), in libpq's syntax, including several hosts and certificates. Missing values
/// come from libpq's environment (`PGHOST` …).
public struct PostgresConfiguration: Sendable {
    /// libpq's keywords and values, including the password.
    var keywords: [String: String]

    /// The maximum number of connections of the pool. Default 8.
    public var maximumConnections = 8
    /// The maximum number of callers that wait for a connection. Default 1,024.
    public var maximumWaiters = 1024
    /// How long a caller waits for a connection before `.poolExhausted`. Default 1.9 s, so that it gets an answer
    /// within 2 s.
    public var maximumWait: Duration = .milliseconds(1900)
    /// The time limit of an access, with waiting, before `.deadline`. Default 4 s, so that two in one request rarely
    /// exceed 5 s.
    public var deadline: Duration = .seconds(4)
    /// The time limit for connecting. Default 3 s. It does not include looking up a host's name.
    public var connectTimeout: Duration = .seconds(3)
    /// The server's limit for a statement, raised for an access with a longer deadline. Default 10 s.
    public var statementTimeout: Duration = .seconds(10)
    /// The server's limit for waiting for a lock. Default 3 s.
    public var lockTimeout: Duration = .seconds(3)
    /// The server's limit for an idle transaction. Default 10 s.
    public var idleInTransactionTimeout: Duration = .seconds(10)
    /// How long an unused connection stays open. Default 60 s.
    public var idleLifetime: Duration = .seconds(60)
    /// How many statements a connection keeps prepared. Default 256.
    public var maximumPreparedStatements = 256
    /// Whether there is a pooler in transaction mode. Then nothing is set for the session, nothing is prepared, and
    /// each transaction sets its limits. Default false.
    public var isPooled = false
    /// The name in `pg_stat_activity`. Default `waymark`.
    public var applicationName = "waymark"

    /// Parses a URL or keywords with libpq's parser.
    ///
    /// - Throws: `.configuration`. The message quotes nothing of the URL, because the part that is wrong may be the
    ///   password.
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

    /// A configuration from libpq's keywords (`host`, `dbname`, …), with default limits.
    package init(keywords: [String: String]) {
        self.keywords = keywords
    }

    /// The same server and limits with another database.
    public func with(database: String) -> PostgresConfiguration {
        var copy = self
        copy.keywords["dbname"] = database
        return copy
    }

    /// What libpq gets: the given keywords, and our defaults for the others.
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

    // Statements are short. If the planner overestimates the rows, compiling takes a hundred times as long as running.
    private var sessionOptions: String {
        """
        -c TimeZone=UTC -c DateStyle=ISO -c bytea_output=hex -c extra_float_digits=1 -c jit=off \
        -c statement_timeout=\(statementTimeout.wholeMilliseconds) -c lock_timeout=\(lockTimeout.wholeMilliseconds) \
        -c idle_in_transaction_session_timeout=\(idleInTransactionTimeout.wholeMilliseconds)
        """
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    /// Host, port, database and user. Never the password.
    public var description: String {
        ["host", "port", "dbname", "user"]
            .compactMap { key in keywords[key].map { "\(key)=\($0)" } }
            .joined(separator: " ")
    }

    /// Shows the description only, so that a dump does not show the password either.
    public var customMirror: Mirror { Mirror(self, children: ["connection": description]) }
}

import CLibPQ
import Timing

/// How to connect, and the limits of what is done with the connection.
///
/// The connection itself is a URL (`postgres://user@host:5432/database?sslmode=verify-full`) or keywords
/// (`host=/run/postgresql dbname=waymark`), exactly as libpq takes them, several hosts and certificates included; what
/// neither says comes from libpq's environment (`PGHOST` …).
public struct PostgresConfiguration: Sendable {
    /// libpq's keywords and values. Contains the password.
    var keywords: [String: String]

    /// Connections of the pool at most. Default 8.
    public var maximumConnections = 8
    /// Callers that may wait for a connection at the same time. Default 1,024.
    public var maximumWaiters = 1024
    /// How long a caller waits for a connection before `.poolExhausted`. Default 1.9 s, so that it is told within 2 s.
    public var maximumWait: Duration = .milliseconds(1900)
    /// How long one access may take, waiting included, before `.deadline`. Default 4 s, so that two in one request
    /// rarely exceed 5 s.
    public var deadline: Duration = .seconds(4)
    /// How long connecting may take. Default 3 s. Looking up a host's name is not bounded by it.
    public var connectTimeout: Duration = .seconds(3)
    /// The server's own limit for a statement, raised for an access with a longer deadline. Default 10 s.
    public var statementTimeout: Duration = .seconds(10)
    /// The server's limit for waiting for a lock. Default 3 s.
    public var lockTimeout: Duration = .seconds(3)
    /// The server's limit for a transaction in which nothing happens. Default 10 s.
    public var idleInTransactionTimeout: Duration = .seconds(10)
    /// How long a connection stays open without use. Default 60 s.
    public var idleLifetime: Duration = .seconds(60)
    /// How many statements a connection keeps prepared. Default 256.
    public var maximumPreparedStatements = 256
    /// Whether a pooler in transaction mode stands between. Then nothing is set for the session and nothing is
    /// prepared: limits travel with each transaction. Default false.
    public var isPooled = false
    /// What `pg_stat_activity` shows. Default `waymark`.
    public var applicationName = "waymark"

    /// Reads a URL or keywords with libpq's own parser.
    ///
    /// - Throws: `.configuration`. The message is libpq's and may quote a part of the URL, never the password's.
    public init(url: String) throws(PostgresError) {
        guard !url.utf8.contains(0) else { throw PostgresError(.configuration, "the URL contains a NUL") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            // libpq's own words quote the part that it could not read, which may be the password.
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

    /// A configuration of libpq's keywords (`host`, `dbname`, …) and default limits.
    package init(keywords: [String: String]) {
        self.keywords = keywords
    }

    /// The same server and limits, another database.
    public func with(database: String) -> PostgresConfiguration {
        var copy = self
        copy.keywords["dbname"] = database
        return copy
    }

    /// What libpq is given: the URL's keywords, and ours where it says nothing.
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

    // Statements are short. Where the planner expects many rows and is wrong, compiling one takes a hundred times as long
    // as running it.
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

    /// The description, so that a dump does not show the password either.
    public var customMirror: Mirror { Mirror(self, children: ["connection": description]) }
}

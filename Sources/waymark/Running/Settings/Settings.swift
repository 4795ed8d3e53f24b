import Configuration
import Foundation
import HTTPAPI
import Logging
import Publishing
import StrictJSON
import Synchronization

/// The settings. They come from environment variables, or from a file of `NAME=value` lines whose path is in
/// `WAYMARK_SETTINGS_FILE`. The environment takes precedence. `docs/operations/settings.md` lists all settings.
struct Settings: Sendable {
    /// An invalid setting.
    struct Invalid: Error, CustomStringConvertible {
        let name: String
        let reason: String
        var description: String { "\(name) \(reason)" }
    }

    /// `WAYMARK_DATABASE_URL`: the connection of the runtime role. Without it, Waymark runs a private PostgreSQL.
    let databaseURL: String?
    /// `WAYMARK_OWNER_DATABASE_URL`: the connection of the table owner; only for `migrate`.
    let ownerDatabaseURL: String?
    /// `WAYMARK_DATABASE_CONNECTIONS`: the maximum number of connections (default 8).
    let databaseConnections: Int
    /// `WAYMARK_STATE_DIRECTORY`: the folder of the private database, the keys and the edge's last snapshot.
    let stateDirectory: String
    /// `WAYMARK_ADDRESS`: the address of the API and the dashboard (default 127.0.0.1:8080).
    let address: Address
    /// `WAYMARK_EDGE_ADDRESS`: the address of the edge (default 127.0.0.1:8081).
    let edgeAddress: Address
    /// `WAYMARK_METRICS_ADDRESS`: the address of the API process's metrics (default 127.0.0.1:8082).
    let metricsAddress: Address
    /// `WAYMARK_EDGE_METRICS_ADDRESS`: the address of the edge's health checks and metrics (default 127.0.0.1:8083).
    let edgeMetricsAddress: Address
    /// `WAYMARK_PUBLIC_URL`: the dashboard's public address (default http:// and the address).
    let publicURL: String
    /// The origin of the dashboard's public address, or `nil` if it is not set. If it is set, requests to other hosts
    /// are rejected.
    let publicOrigin: Origin?
    /// `WAYMARK_EDGE_PUBLIC_URL`: the edge's public address, such as `https://edge.example.net`, for snippets.
    let edgePublicURL: EdgeURL?
    /// `WAYMARK_PUBLIC_DIRECTORY`: the dashboard's pages (default `public`).
    let publicDirectory: String
    /// `WAYMARK_CONTRACT_DIRECTORY`: the API's contract (default `contract`).
    let contractDirectory: String
    /// `WAYMARK_MIGRATIONS_DIRECTORY`: the database's migrations (default `migrations`).
    let migrationsDirectory: String
    /// `WAYMARK_SNAPSHOT_URL`: the source of the snapshot for consumers. This is an API or, with `file:///…`, the
    /// folder of another consumer (default http:// and the address).
    let snapshotURL: String
    /// `WAYMARK_SNAPSHOT_KEY`: the public keys that a consumer trusts, in base64, separated by commas. Without it, the
    /// keys in `snapshotKeyFile` are trusted.
    let snapshotKeys: [String]
    /// `WAYMARK_SNAPSHOT_KEY_FILE`: the file of public keys that a consumer trusts, in base64, one per line. The API
    /// writes it (default: the name of the signing key's file plus `.pub`).
    let snapshotKeyFile: String
    /// `WAYMARK_SIGNING_KEY_FILE`: the file of private keys, one per line; the first signs the snapshot (default
    /// `signing-key` in the state directory).
    let signingKeyFile: String
    /// `WAYMARK_CONSUMER_SECRET_FILE`: the file of the consumers' credentials, one per line; consumers send the first
    /// (default `consumer-secret` in the state directory).
    let consumerSecretFile: String
    /// `WAYMARK_DIRECTORY_ROOT`: the output folder of `serve --role directory`.
    let directoryRoot: String?
    /// `WAYMARK_BUCKETS_FILE`: the file with the buckets that workers push to (``BucketsFile``).
    let bucketsFile: String?
    /// `WAYMARK_CONSUMER_NAME`: the name of an edge or directory writer in its reports (default: the host name and the
    /// role).
    let consumerName: String?
    /// `WAYMARK_RATE_LIMIT_CALLER`, `WAYMARK_RATE_LIMIT_ORGANIZATION`, `WAYMARK_RATE_LIMIT_ADDRESS`,
    /// `WAYMARK_RATE_LIMIT_SIGN_IN`: the requests to the API per minute; 0 for no limit.
    let rates: RateLimiter.Quotas
    /// `WAYMARK_TRUSTED_PROXIES`: addresses whose `X-Forwarded-Host` the edge trusts, and whose `X-Forwarded-For` the
    /// API trusts, separated by commas.
    let trustedProxies: [String]
    /// `WAYMARK_EDGE_CONNECTIONS`: the maximum number of connections to the edge at the same time (default 10000).
    let edgeConnections: Int
    /// `WAYMARK_LOOPBACK_ISSUERS`: `true` accepts issuers of CI tokens at http://localhost, for trying out (default
    /// false).
    let allowsLoopbackIssuers: Bool
    /// `WAYMARK_MAIL_…`: the mail server, or `nil` if no mails are sent (``MailSettings``).
    let mail: MailSettings?
    /// `WAYMARK_ORGANIZATION_CREATION`: who may create organizations: `nobody` but the operator (default), everyone who
    /// was `invited`, or `anyone`.
    let organizationCreation: OrganizationCreation
    /// `WAYMARK_ALLOWED_ORIGINS`: the other origins whose pages may use the API, with a token, separated by commas.
    let allowedOrigins: Set<Origin>
    /// `WAYMARK_LOG_LEVEL`: trace, debug, info, notice, warning, error or critical (default info).
    let logLevel: Logger.Level

    /// The settings of this process.
    static func load() throws -> Settings {
        let variables = ProcessInfo.processInfo.environment
        let file = try variables["WAYMARK_SETTINGS_FILE"].map(SettingsFile.init(path:))
        let asked = NamesAsked()
        let reader = ConfigReader(
            providers: [
                EnvironmentVariablesProvider(),
                EnvironmentVariablesProvider(environmentVariables: file?.values ?? [:]),
            ], accessReporter: asked)
        let settings = try Settings(reader.scoped(to: "waymark"))
        try OtherVariables.requireKnown(variables.keys, besides: asked.names)
        try file?.requireNames(among: asked.names)
        return settings
    }

    /// Collects the names of all settings that are read.
    private final class NamesAsked: AccessReporter {
        private let noted = Mutex<Set<String>>([])

        var names: [String] { noted.withLock { $0.sorted() } }

        func report(_ event: AccessEvent) {
            let name = event.metadata.key.components.joined(separator: "_").uppercased()
            noted.withLock { _ = $0.insert(name) }
        }
    }

    private init(_ reader: ConfigReader) throws {
        databaseURL = try Self.text(reader, "database.url", isSecret: true)
        ownerDatabaseURL = try Self.text(reader, "owner.database.url", isSecret: true)
        databaseConnections = try Self.number(reader, "database.connections", in: 1...500, default: 8)
        stateDirectory = try Self.text(reader, "state.directory") ?? Self.usualStateDirectory()
        address = try Self.address(reader, "address", default: "127.0.0.1:8080")
        edgeAddress = try Self.address(reader, "edge.address", default: "127.0.0.1:8081")
        metricsAddress = try Self.address(reader, "metrics.address", default: "127.0.0.1:8082")
        edgeMetricsAddress = try Self.address(reader, "edge.metrics.address", default: "127.0.0.1:8083")
        let setPublicURL = try Self.text(reader, "public.url")
        publicURL = setPublicURL ?? "http://\(address)"
        publicOrigin = setPublicURL.flatMap(Origin.init)
        guard setPublicURL == nil || publicOrigin != nil else {
            throw Invalid(
                name: "WAYMARK_PUBLIC_URL",
                reason: "must be http(s)://host or http(s)://host:port in ASCII, without a path: \(publicURL)")
        }
        edgePublicURL = try Self.text(reader, "edge.public.url").map { text in
            guard let url = EdgeURL(text) else {
                throw Invalid(
                    name: "WAYMARK_EDGE_PUBLIC_URL",
                    reason: "must be http(s)://host or http(s)://host:port, without a path: \(text)")
            }
            return url
        }
        publicDirectory = try Self.text(reader, "public.directory") ?? Self.installed("public")
        contractDirectory = try Self.text(reader, "contract.directory") ?? Self.installed("contract")
        migrationsDirectory = try Self.text(reader, "migrations.directory") ?? Self.installed("migrations")
        snapshotURL = try Self.text(reader, "snapshot.url") ?? "http://\(address)"
        snapshotKeys = try Self.list(Self.text(reader, "snapshot.key"))
        signingKeyFile = try Self.text(reader, "signing.key.file") ?? stateDirectory + "/signing-key"
        snapshotKeyFile = try Self.text(reader, "snapshot.key.file") ?? signingKeyFile + ".pub"
        consumerSecretFile = try Self.text(reader, "consumer.secret.file") ?? stateDirectory + "/consumer-secret"
        directoryRoot = try Self.text(reader, "directory.root")
        bucketsFile = try Self.text(reader, "buckets.file")
        consumerName = try Self.text(reader, "consumer.name")
        let usual = RateLimiter.Quotas()
        rates = try RateLimiter.Quotas(
            caller: Self.number(reader, "rate.limit.caller", in: 0...1_000_000_000, default: usual.caller),
            organization: Self.number(
                reader, "rate.limit.organization", in: 0...1_000_000_000, default: usual.organization),
            address: Self.number(reader, "rate.limit.address", in: 0...1_000_000_000, default: usual.address),
            signIn: Self.number(reader, "rate.limit.sign.in", in: 0...1_000_000_000, default: usual.signIn))
        trustedProxies = try Self.list(Self.text(reader, "trusted.proxies"))
        edgeConnections = try Self.number(reader, "edge.connections", in: 1...1_000_000, default: 10_000)
        let loopback = try Self.text(reader, "loopback.issuers") ?? "false"
        guard let allowsLoopbackIssuers = Bool(loopback) else {
            throw Invalid(name: "WAYMARK_LOOPBACK_ISSUERS", reason: "must be true or false: \(loopback)")
        }
        self.allowsLoopbackIssuers = allowsLoopbackIssuers
        mail = try MailSettings(hasPublicURL: setPublicURL != nil) { try Self.text(reader, "mail.\($0)") }
        let creation = try Self.text(reader, "organization.creation") ?? OrganizationCreation.nobody.rawValue
        guard let organizationCreation = OrganizationCreation(rawValue: creation) else {
            throw Invalid(
                name: "WAYMARK_ORGANIZATION_CREATION", reason: "must be nobody, invited or anyone: \(creation)")
        }
        guard organizationCreation != .anyone || mail != nil else {
            throw Invalid(
                name: "WAYMARK_ORGANIZATION_CREATION",
                reason: "cannot be anyone without WAYMARK_MAIL_SERVER, because new accounts are confirmed by mail")
        }
        self.organizationCreation = organizationCreation
        allowedOrigins = try Set(
            Self.list(Self.text(reader, "allowed.origins")).map { text in
                guard let origin = Origin(text) else {
                    throw Invalid(
                        name: "WAYMARK_ALLOWED_ORIGINS",
                        reason: "must be origins such as https://tools.example.com, separated by commas: \(text)")
                }
                return origin
            })
        let level = try Self.text(reader, "log.level") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw Invalid(name: "WAYMARK_LOG_LEVEL", reason: "must be one of \(levels): \(level)")
        }
        self.logLevel = logLevel
        guard ServerURL.isUsable(snapshotURL) || snapshotURL.hasPrefix(Self.folderScheme + "/") else {
            throw Invalid(
                name: "WAYMARK_SNAPSHOT_URL", reason: "must be http(s)://host or file:///folder: \(snapshotURL)")
        }
        guard (1...200).contains(consumerName?.count ?? 1) else {
            throw Invalid(name: "WAYMARK_CONSUMER_NAME", reason: "must have 1 to 200 characters")
        }
        if let control = ControlCharacter(in: consumerName ?? "") {
            throw Invalid(name: "WAYMARK_CONSUMER_NAME", reason: control.detail)
        }
    }

    /// The folder in `WAYMARK_SNAPSHOT_URL`, or `nil` if the URL is an API's.
    var snapshotFolder: String? {
        snapshotURL.hasPrefix(Self.folderScheme) ? String(snapshotURL.dropFirst(Self.folderScheme.count)) : nil
    }

    private static let folderScheme = "file://"

    /// The default state folder: `.waymark` in the current folder. For root, it is a folder in `/var/lib/waymark`,
    /// because the private PostgreSQL runs as a different user, who may have no access to the current folder. Its name
    /// contains that of the current folder, so that two checkouts do not share it.
    private static func usualStateDirectory() -> String {
        let current = FileManager.default.currentDirectoryPath
        guard geteuid() == 0 else { return current + "/.waymark" }
        let name = current.split(separator: "/").joined(separator: "-")
        return "/var/lib/waymark/" + (name.isEmpty ? "root" : name)
    }

    /// The path of a folder that belongs to the program. It is in the current folder or in `share/waymark` of the
    /// installation.
    private static func installed(_ name: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/" + name
        if FileManager.default.fileExists(atPath: here) { return here }
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let prefix = executable.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(prefix)/share/waymark/\(name)"
    }

    /// The value of a setting, or `nil` if it is not set. An empty value is an error, because it probably comes from an
    /// undefined variable.
    private static func text(_ reader: ConfigReader, _ key: String, isSecret: Bool = false) throws -> String? {
        guard let text = reader.string(forKey: ConfigKey(key), isSecret: isSecret) else { return nil }
        guard !text.allSatisfy(\.isWhitespace) else {
            throw Invalid(name: variable(key), reason: "is set but empty; give it a value, or do not set it")
        }
        return text
    }

    private static func address(_ reader: ConfigReader, _ key: String, default fallback: String) throws -> Address {
        let text = try text(reader, key) ?? fallback
        guard let address = Address(text) else {
            throw Invalid(
                name: variable(key), reason: "must be an address and a port, such as 127.0.0.1:8080: \(text)")
        }
        return address
    }

    private static func number(
        _ reader: ConfigReader, _ key: String, in bounds: ClosedRange<Int>, default fallback: Int
    ) throws -> Int {
        guard let text = try text(reader, key) else { return fallback }
        guard let number = Int(text), bounds.contains(number) else {
            throw Invalid(
                name: variable(key),
                reason: "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound): \(text)")
        }
        return number
    }

    private static func variable(_ key: String) -> String {
        "WAYMARK_" + key.uppercased().replacing(".", with: "_")
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

/// The address of a listener: a host or IP address, and a port.
struct Address: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let host = text[..<colon].trimmingPrefix("[")
        self.host = String(host.hasSuffix("]") ? host.dropLast() : host)
        guard !self.host.isEmpty else { return nil }
        self.port = port
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

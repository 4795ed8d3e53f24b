public import Fetching
import StrictJSON

/// The keys of issuers, as they publish them (OpenID Connect Discovery 1.0). Many callers share one fetch.
public actor IssuerKeys {
    /// The intervals of fetches, and the limits.
    public struct Limits: Sendable {
        /// The time after which keys are fetched again.
        public var lifetime = Duration.seconds(600)
        /// The minimum time between two fetches from an issuer. An unknown key or a failure does not shorten it.
        public var interval = Duration.seconds(60)
        /// The minimum time between two fetches after a failure.
        public var pause = Duration.seconds(5)
        /// The maximum number of issuers in memory.
        public var issuers = 1_000
        /// The maximum number of callers that wait for the keys of one issuer.
        public var waiting = 50
        /// The maximum number of fetches of an owner at the same time.
        public var fetchesOfOwner = 4
        /// The maximum number of fetches at the same time.
        public var fetches = 64
        /// The maximum size of the discovery document, in bytes.
        public var discovery = 65_536
        /// The maximum size of the keys' document, in bytes.
        public var keys = 262_144

        /// Creates the default limits.
        public init() {}
    }

    private struct Entry {
        /// The last documents, and when they were fetched.
        var documents = Documents()
        var fetchedAt: ContinuousClock.Instant?
        /// The last attempt, and its failure.
        var attemptedAt = ContinuousClock.now
        var failure: IssuerError?
    }

    /// What an issuer publishes.
    private struct Documents {
        var keys: [VerificationKey] = []
        var metadata = ProviderMetadata()
    }

    private struct Fetch {
        let owner: String
        let task: Task<Result<Documents, IssuerError>, Never>
        var waiting = 1
    }

    private let client: GuardedClient
    private let limits: Limits
    private var entries: [FetchURL: Entry] = [:]
    private var fetches: [FetchURL: Fetch] = [:]

    /// Creates an empty memory.
    public init(client: GuardedClient, limits: Limits = Limits()) {
        self.client = client
        self.limits = limits
    }

    /// Checks the signature of a token with the issuer's keys. One signature is checked at a time, so a flood of
    /// invalid tokens uses one processor at most.
    ///
    /// - Parameter owner: The organization that trusts the issuer. A slow issuer delays only its owner's other issuers.
    /// - Throws: ``TokenError``, or ``IssuerError`` if the keys cannot be read now.
    public func verify(_ token: IDToken, from issuer: FetchURL, for owner: String) async throws {
        var known = try await keys(of: issuer, for: owner, isEnough: { _ in true })
        if !known.contains(where: { $0.id.hasSameBytes(as: token.keyID) }) {
            // The issuer may have rotated its keys.
            known = try await keys(of: issuer, for: owner) { keys in
                keys.contains { $0.id.hasSameBytes(as: token.keyID) }
            }
        }
        let named = known.filter { $0.id.hasSameBytes(as: token.keyID) }
        guard !named.isEmpty else { throw TokenError.unknownKey }
        let fitting = named.filter { $0.algorithm == token.algorithm }
        guard !fitting.isEmpty else { throw TokenError.wrongAlgorithm }
        guard fitting.contains(where: { $0.verifies(token.signature, of: token.signedText) }) else {
            throw TokenError.wrongSignature
        }
    }

    /// The addresses at which people sign in with the issuer.
    ///
    /// - Parameter owner: The organization that trusts the issuer.
    /// - Throws: ``IssuerError``.
    public func metadata(of issuer: FetchURL, for owner: String) async throws -> ProviderMetadata {
        try await documents(of: issuer, for: owner, isEnough: { _ in true }).metadata
    }

    private func keys(
        of issuer: FetchURL, for owner: String, isEnough: ([VerificationKey]) -> Bool
    ) async throws -> [VerificationKey] {
        try await documents(of: issuer, for: owner) { isEnough($0.keys) }.keys
    }

    /// The documents of an issuer: those in memory if they are fresh and enough, or if it is too early to fetch again.
    private func documents(
        of issuer: FetchURL, for owner: String, isEnough: (Documents) -> Bool
    ) async throws -> Documents {
        if let entry = entries[issuer] {
            let now = ContinuousClock.now
            let isFresh = entry.fetchedAt.map { now - $0 < limits.lifetime } ?? false
            if isFresh, isEnough(entry.documents) || now - entry.attemptedAt < limits.interval {
                return entry.documents
            }
            if let failure = entry.failure, now - entry.attemptedAt < limits.pause { throw failure }
        }
        return try await fetched(issuer, for: owner).get()
    }

    private func fetched(
        _ issuer: FetchURL, for owner: String
    ) async throws -> Result<Documents, IssuerError> {
        if let fetch = fetches[issuer] {
            guard fetch.waiting < limits.waiting else {
                throw IssuerError(description: "Too many callers wait for the issuer's keys.")
            }
            fetches[issuer]?.waiting += 1
            return await fetch.task.value
        }
        guard fetches.count < limits.fetches,
            fetches.values.count(where: { $0.owner == owner }) < limits.fetchesOfOwner
        else { throw IssuerError(description: "Too many issuers are being asked for their keys.") }
        let task = Task { [client, limits] in await Self.fetch(issuer, client, limits) }
        fetches[issuer] = Fetch(owner: owner, task: task)
        let result = await task.value
        fetches[issuer] = nil
        remember(result, of: issuer)
        return result
    }

    private func remember(_ result: Result<Documents, IssuerError>, of issuer: FetchURL) {
        if entries.count >= limits.issuers, entries[issuer] == nil,
            let oldest = entries.min(by: { $0.value.attemptedAt < $1.value.attemptedAt })
        {
            entries[oldest.key] = nil
        }
        // While an issuer fails, its last keys stay in use for their lifetime.
        var entry = entries[issuer] ?? Entry()
        entry.attemptedAt = .now
        switch result {
        case .success(let documents):
            (entry.documents, entry.fetchedAt, entry.failure) = (documents, entry.attemptedAt, nil)
        case .failure(let error): entry.failure = error
        }
        entries[issuer] = entry
    }

    /// Reads the discovery document, and then the keys that it names.
    private static func fetch(
        _ issuer: FetchURL, _ client: GuardedClient, _ limits: Limits
    ) async -> Result<Documents, IssuerError> {
        do {
            let base = issuer.description.hasSuffix("/") ? String(issuer.description.dropLast()) : issuer.description
            let discovery = try await object(
                at: base + "/.well-known/openid-configuration", issuer, client, upTo: limits.discovery)
            // OpenID Connect Discovery 1.0, section 4.3: the two must be identical.
            guard let named = discovery["issuer"]?.string, named.hasSameBytes(as: issuer.description) else {
                throw IssuerError(description: "The discovery document of \(issuer) names another issuer.")
            }
            guard let address = discovery["jwks_uri"]?.string else {
                throw IssuerError(description: "The discovery document of \(issuer) has no jwks_uri.")
            }
            let keys = VerificationKey.keys(of: try await object(at: address, issuer, client, upTo: limits.keys))
            guard !keys.isEmpty else {
                throw IssuerError(description: "The issuer \(issuer) publishes no key that can be used.")
            }
            return .success(Documents(keys: keys, metadata: ProviderMetadata(discovery, of: issuer)))
        } catch let error as IssuerError {
            return .failure(error)
        } catch {
            let reason = (error as? FetchError) ?? .noConnection
            return .failure(IssuerError(description: "The issuer \(issuer) \(reason)."))
        }
    }

    private static func object(
        at address: String, _ issuer: FetchURL, _ client: GuardedClient, upTo limit: Int
    ) async throws -> JSONObject {
        guard let url = FetchURL(address, allowsLoopback: !issuer.isSecure) else {
            throw IssuerError(description: "An address in the discovery document of \(issuer) is not accepted.")
        }
        let bytes = try await client.get(url, upTo: limit)
        guard let object = try? JSONValue(parsing: bytes, limits: JSONLimits(bytes: limit, depth: 16)).object else {
            throw IssuerError(description: "A document of \(issuer) is not a JSON object.")
        }
        return object
    }
}

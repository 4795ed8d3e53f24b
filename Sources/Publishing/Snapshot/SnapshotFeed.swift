import NIOPosix
import ServiceLifecycle
public import Snapshot
public import Storage

/// Serves the snapshot to consumers: the signed manifest, deltas from older manifests, and the files.
///
/// The manifest is cached, so only later changes are read from the database. However many consumers are waiting, only
/// one query runs at a time.
public actor SnapshotFeed {
    /// A signed manifest.
    public struct Signed: Sendable {
        /// The bytes of the manifest, with the signature.
        public let bytes: [UInt8]
        /// The entity tag, in quotation marks.
        public let tag: String
        let manifest: Manifest
        /// The key that signed it.
        let signer: VerificationKey

        init(_ manifest: Manifest, by key: SigningKey) throws(ManifestError) {
            self.manifest = try manifest.signing(by: key)
            signer = key.verificationKey
            bytes = self.manifest.bytes
            tag = Manifest.entityTag(of: bytes)
        }
    }

    /// The longest time between two queries while a consumer waits.
    static let pollInterval = Duration.seconds(1)

    private let store: Store
    private var key: SigningKey
    private let doorbell: Doorbell
    private var latest: Signed?
    private var history = SnapshotHistory()
    /// The running query, and the query that starts after it.
    private var running: Task<Signed, any Error>?
    private var next: Task<Signed, any Error>?
    private var waiters: [Int: CheckedContinuation<Signed?, any Error>] = [:]
    private var lastWaiter = 0
    private var isWatching = false
    /// The number of queries since the feed was created.
    private(set) var looks = 0

    /// Creates a feed of a store's live files, signed with the installation's key.
    ///
    /// - Parameter doorbell: Rings when a live version has changed. Only this feed may wait for it.
    public init(store: Store, key: SigningKey, doorbell: Doorbell = Doorbell()) {
        self.store = store
        self.key = key
        self.doorbell = doorbell
    }

    /// Sets the key for future manifests, and signs the current manifest again.
    public func sign(with key: SigningKey) {
        self.key = key
    }

    /// The manifest of all live files. It includes every change that was committed before the call.
    public func manifest() async throws -> Signed {
        // A running query may have read the database before this call, so wait for the next one.
        if let next { return try await next.value }
        let before = running
        let task = Task {
            _ = await before?.result
            return try await self.refresh()
        }
        next = task
        return try await task.value
    }

    /// Waits until the manifest is not the one that the caller has, and returns it. Returns the same manifest if the
    /// time is over, the task is cancelled or the service shuts down.
    public func manifest(
        unless isKnown: @Sendable (_ tag: String) -> Bool, wait: Duration
    ) async throws -> Signed {
        let deadline = ContinuousClock.now + wait
        var found = try await manifest()
        while isKnown(found.tag) {
            let left = deadline - .now
            guard left > .zero, !Task.isCancelled, !Task.isShuttingDownGracefully else { break }
            found = try await manifest(after: found, atMost: left)
        }
        return found
    }

    /// The `ManifestDelta` from the manifest with this tag to a newer one. Returns `nil` if no delta is available, or
    /// if it would not be much shorter than the manifest.
    public func delta(from tag: String, to signed: Signed) throws -> [UInt8]? {
        guard signed.tag == latest?.tag, let base = Manifest.activation(ofTag: tag) else { return nil }
        return try history.delta(after: base, to: signed.manifest)
    }

    /// The maximum number of files in a request.
    public static let maximumBlobs = BlobList.maximum

    /// Parses a SHA-256 as manifests contain it: 64 hexadecimal digits in lower case. Returns its 32 bytes, or `nil`
    /// for any other text.
    public static func sha256(hexadecimal text: String) -> [UInt8]? { ContentHash(hex: text)?.bytes }

    /// The live file with this SHA-256 (32 bytes), or `nil` if no host serves it.
    public nonisolated func blob(_ sha256: [UInt8]) async throws -> [UInt8]? {
        try await files([sha256]).first?.bytes
    }

    /// The live files with these SHA-256 values (32 bytes each), as a `BlobList`. Omits files that no host serves.
    public nonisolated func blobs(_ sha256s: [[UInt8]]) async throws -> [UInt8] {
        BlobList.bytes(
            of: try await files(sha256s).compactMap { file in
                ContentHash(bytes: file.sha256).map { ($0, file.bytes) }
            })
    }

    private nonisolated func files(_ sha256s: [[UInt8]]) async throws -> [(sha256: [UInt8], bytes: [UInt8])] {
        var files: [(sha256: [UInt8], bytes: [UInt8])] = []
        for (organization, some) in try await store.read({ try $0.organizations(withLiveFiles: sha256s) }) {
            files += try await store.read(as: organization) { try $0.blobs(some) }
        }
        return files
    }

    private func refresh() async throws -> Signed {
        running = next
        next = nil
        looks += 1
        var base = latest
        let known = base?.manifest.activation ?? 0
        var live = try await store.read { try $0.liveHosts(after: known) }
        if live.activation < known {
            // The database was replaced by an older one. Consumers decide whether to accept its manifest.
            base = nil
            live = try await store.read { try $0.liveHosts() }
        } else if let base, live.activation == known, base.signer == key.verificationKey {
            return base
        }
        ProcessFault.reach("feed.read")
        let (changes, activation, key, older) = (changes(live), live.activation, key, base?.manifest)
        // With a million hosts, this takes a second. So it must not run on one of Swift's few threads.
        let signed = try await NIOThreadPool.singleton.runIfActive {
            try Signed((older ?? Manifest(activation: 0, entries: [])).changed(to: activation, by: changes), by: key)
        }
        if base == nil { history = SnapshotHistory() }
        history.add(changes)
        latest = signed
        ProcessFault.reach("feed.signed")
        // The waiting consumers have older manifests, so all of them get this one.
        wakeAll(with: .success(signed))
        return signed
    }

    /// The changes, in the order of their activations.
    private func changes(_ live: LiveHosts) -> [ManifestChange] {
        var changes = live.ended.map { ManifestChange.removed(host: $0.host, activation: $0.activation) }
        changes += live.hosts.compactMap { host in
            ContentHash(bytes: host.sha256).map {
                .live(
                    ManifestEntry(
                        host: host.host, activation: host.activation, version: Int64(host.version), sha256: $0,
                        size: host.size))
            }
        }
        return changes.sorted { $0.activation < $1.activation }
    }
}

/// Waits for a changed manifest.
extension SnapshotFeed {
    /// Returns the manifest when it differs from `known`, or `known` when the time is over.
    private func manifest(after known: Signed, atMost duration: Duration) async throws -> Signed {
        let found = try await cancelWhenGracefulShutdown { try await self.wait(known, atMost: duration) }
        return found ?? known
    }

    private func wait(_ known: Signed, atMost duration: Duration) async throws -> Signed? {
        lastWaiter += 1
        let waiter = lastWaiter
        let timer = Task {
            try await Task.sleep(for: duration)
            wake(waiter)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let latest, latest.tag != known.tag {
                    continuation.resume(returning: latest)
                } else if Task.isCancelled {
                    continuation.resume(returning: nil)
                } else {
                    waiters[waiter] = continuation
                    watch()
                }
            }
        } onCancel: {
            Task { await self.wake(waiter) }
        }
    }

    /// The number of waiting consumers.
    var waiting: Int { waiters.count }

    private func wake(_ waiter: Int) { waiters.removeValue(forKey: waiter)?.resume(returning: nil) }

    /// Queries the database as long as consumers are waiting.
    private func watch() {
        guard !isWatching else { return }
        isWatching = true
        Task {
            while !waiters.isEmpty {
                await doorbell.wait(atMost: Self.pollInterval)
                do {
                    _ = try await manifest()
                } catch {
                    wakeAll(with: .failure(error))
                }
            }
            isWatching = false
        }
    }

    private func wakeAll(with result: Result<Signed?, any Error>) {
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume(with: result) }
    }
}

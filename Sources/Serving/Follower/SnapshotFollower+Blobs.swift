internal import Snapshot
internal import Timing

/// The next attempt for a blob that could not be fetched.
struct BlobRetry {
    var failures: Int
    var due: ContinuousClock.Instant
    /// True if a request for the blob failed. The blob is then requested on its own, so that it does not delay others.
    var hasFailed = false
}

/// Finds blobs on the disk, fetches missing ones, and removes unwanted ones.
extension SnapshotFollower {
    /// Returns the files that are complete on the disk. Files that are being served are not verified again.
    ///
    /// - Parameter isReused: True to mark the other files as used now.
    func onDisk(
        _ wanted: some Sequence<ManifestFile>, isReused: Bool
    ) async throws(SnapshotDirectoryError) -> Set<ManifestFile> {
        let known = files
        let asked = Set(wanted.filter { !known.contains($0) })
        guard !asked.isEmpty else { return known }
        let directory = directory
        let found = try await WorkThread.run { () throws(SnapshotDirectoryError) in
            var found: Set<ManifestFile> = []
            for item in asked {
                guard let blob = try directory.blob(item.sha256, size: item.size) else { continue }
                if isReused { try directory.store([blob]) }
                found.insert(item)
            }
            return found
        }
        return known.union(found)
    }

    /// Fetches the blobs that are due.
    func fetch(_ missing: [ManifestFile]) async throws(SnapshotDirectoryError) -> Set<ManifestFile> {
        let now = ContinuousClock.now
        let stillMissing = Set(missing)
        retries = retries.filter { stillMissing.contains($0.key) }
        let due = missing.filter { retries[$0].map { $0.due <= now } ?? true }
        guard !due.isEmpty else { return [] }
        let known = retries
        let (stored, rejections) = try await BlobFetcher(source: source, directory: directory).fetch(due) { item in
            known[item]?.hasFailed ?? false
        }
        for item in due where !stored.contains(item) {
            let failures = (retries[item]?.failures ?? 0) + 1
            retries[item] = BlobRetry(
                failures: failures, due: .now + backoff.pause(afterFailures: failures),
                hasFailed: rejections[item] != nil)
            if let rejection = rejections[item] { note(rejection) }
        }
        for item in stored { retries[item] = nil }
        return stored
    }

    /// Schedules a request for each of these blobs, to be sent after the source's next response.
    func plan(retriesOf missing: [ManifestFile]) {
        for item in missing { retries[item] = BlobRetry(failures: 0, due: .now) }
    }

    /// The time until the next retry of a blob. If no retry is planned, the full waiting time.
    var timeToRetry: Duration {
        guard let due = retries.values.map(\.due).min() else { return configuration.wait }
        return max(.zero, due - .now)
    }

    var isRetryDue: Bool { retries.values.contains { $0.due <= .now } }

    /// Removes unwanted blobs if a search is due. If this fails, the blobs only stay longer.
    func collectGarbageIfDue() async {
        guard ContinuousClock.now - lastCollection > configuration.collectionInterval else { return }
        lastCollection = .now
        let directory = directory
        let wanted = Set(files.map(\.sha256)).union(accepted?.files.map(\.sha256) ?? [])
        let known = garbage
        let grace = configuration.garbageGrace
        let now = ContinuousClock.now - began
        let kept = try? await WorkThread.run { () throws(SnapshotDirectoryError) in
            var garbage = known
            try directory.collectGarbage(
                keeping: wanted, garbage: &garbage, now: now.components.seconds, grace: grace)
            return garbage
        }
        if let kept { garbage = kept }
    }
}

internal import Logging
internal import Snapshot

/// The steps from a new manifest to the served snapshot.
extension SnapshotFollower {
    /// Loads the snapshot from the disk, without using the source. If the directory is unreadable, it counts as empty,
    /// and later snapshots from the source fill it.
    func loadFromDisk() async {
        let directory = directory
        let trusted = trusted
        do throws(SnapshotDirectoryError) {
            let stored = try await WorkThread.run { () throws(SnapshotDirectoryError) in
                try directory.load(trusted: trusted)
            }
            guard let stored else { return }
            // Held entries always replace those of the manifest, so treat them as being served.
            let before = ServedSnapshot(manifest: stored.manifest, held: stored.held)
            let merge = SnapshotMerge(offered: stored.manifest, serving: before, mayWithdraw: false)
            let wanted = Set(stored.manifest.files).union(stored.held.map(\.file))
            let available = try await onDisk(wanted, isReused: false)
            let outcome = SnapshotOutcome(
                offered: stored.manifest, kept: merge.kept, serving: before, available: available)
            try await apply(outcome, available: available)
            accepted = stored.manifest
            acceptedHash = stored.manifestHash
            tag = Manifest.entityTag(activation: stored.manifest.activation, hash: stored.manifestHash)
            plan(retriesOf: outcome.missing)
            isWhole = merge.rejections.isEmpty && outcome.missing.isEmpty
            logger.info(
                "snapshot loaded from the disk",
                metadata: ["activation": "\(stored.manifest.activation)", "hosts": "\(outcome.served.count)"])
        } catch {
            note(.directory(error))
        }
    }

    /// True if the whole snapshot on the disk is being served. False if a file was missing: another process may have added
    /// it since.
    func isOnDisk() async -> Bool {
        guard isWhole, let accepted else { return false }
        let directory = directory
        let signed = try? await WorkThread.run { () throws(SnapshotDirectoryError) in try directory.signedManifest() }
        return signed == accepted.bytes
    }

    /// Installs a manifest from the source if it is trusted and not older than the last accepted one.
    func take(_ answer: ManifestAnswer) async throws(SnapshotRejection) {
        guard let (offered, tag) = try await verified(answer, base: accepted, baseTag: self.tag) else { return }
        try SnapshotMerge.check(offered, after: accepted, serving: serving?.count ?? 0)
        if try await install(offered, tag: tag) { self.tag = tag }
    }

    /// Fetches missing files, writes everything to the disk, and passes the snapshot to the consumer.
    ///
    /// - Parameter tag: The tag of a new manifest, or `nil` if `offered` is already on the disk.
    /// - Returns: False if the source meanwhile has a newer manifest. Nothing was changed in this case.
    @discardableResult
    func install(_ offered: Manifest, tag: String?) async throws(SnapshotRejection) -> Bool {
        let isHigher = accepted.map { offered.activation > $0.activation } ?? true
        let merge = SnapshotMerge(offered: offered, serving: serving, mayWithdraw: isHigher)
        for rejection in merge.rejections { note(rejection) }
        do throws(SnapshotDirectoryError) {
            var available = try await onDisk(offered.files + merge.kept.map(\.file), isReused: true)
            let missing = SnapshotOutcome.missing(offered: offered, kept: merge.kept, available: available)
            available.formUnion(try await fetch(missing))
            let outcome = SnapshotOutcome(
                offered: offered, kept: merge.kept, serving: serving, available: available)
            ProcessFault.reach("follower.fetched")
            if let tag, await isOvertaken(offered, tag: tag) { return false }
            try await keep(outcome, isNew: tag != nil)
            ProcessFault.reach("follower.kept")
            try await apply(outcome, available: available)
            accepted = offered
        } catch {
            throw .directory(error)
        }
        isWhole = merge.rejections.isEmpty && retries.isEmpty
        if isWhole { noteInstalled() }
        await collectGarbageIfDue()
        return true
    }

    /// Returns the verified manifest in a response, with its tag, or `nil` if the manifest has not changed.
    ///
    /// A delta is applied to `base`, and the result is verified in the same way. If this fails, the whole manifest is
    /// requested next.
    private func verified(
        _ answer: ManifestAnswer, base: Manifest?, baseTag: String?
    ) async throws(SnapshotRejection) -> (Manifest, tag: String)? {
        let trusted = trusted
        switch answer {
        case .notModified:
            return nil
        case .manifest(let signed, let tag):
            do throws(ManifestError) {
                let manifest = try await WorkThread.run { () throws(ManifestError) in
                    try Manifest(verifying: signed, trusted: trusted)
                }
                return (manifest, tag)
            } catch {
                throw .manifest(error)
            }
        case .delta(let bytes, let from, let tag):
            guard let base, from == baseTag else {
                self.tag = nil
                throw .deltaOfAnother(base: from)
            }
            do throws(ManifestError) {
                let manifest = try await WorkThread.run { () throws(ManifestError) in
                    try Manifest(verifying: ManifestDelta(reading: bytes).applied(to: base), trusted: trusted)
                }
                return (manifest, tag)
            } catch {
                self.tag = nil
                throw .delta(error)
            }
        }
    }

    /// True if the source has a newer manifest than this one. If the source does not respond, returns false.
    private func isOvertaken(_ offered: Manifest, tag: String) async -> Bool {
        guard configuration.confirmsBeforeApplying, skippedManifests < Self.maximumSkippedManifests,
            let answer = try? await source.manifest(unless: tag, wait: .zero),
            let (newer, _) = try? await verified(answer, base: offered, baseTag: tag),
            newer.activation > offered.activation
        else {
            skippedManifests = 0
            return false
        }
        skippedManifests += 1
        return true
    }

    private func keep(_ outcome: SnapshotOutcome, isNew: Bool) async throws(SnapshotDirectoryError) {
        let directory = directory
        let hash = acceptedHash
        let served = outcome.served
        acceptedHash = try await WorkThread.run { () throws(SnapshotDirectoryError) in
            if isNew {
                return try directory.store(
                    signed: served.manifest.bytes, activation: served.manifest.activation, held: served.held)
            }
            if let hash { try directory.store(held: served.held, of: hash) }
            return hash
        }
    }

    private func apply(
        _ outcome: SnapshotOutcome, available: Set<ManifestFile>
    ) async throws(SnapshotDirectoryError) {
        let served = outcome.served
        let directory = directory
        let consumer = consumer
        try await WorkThread.run { () throws(SnapshotDirectoryError) in
            try consumer.apply(served, from: directory)
        }
        serving = served
        files = available.intersection(served.manifest.files).union(served.held.map(\.file))
        update { status in
            status.activation = served.manifest.activation
            status.hosts = served.count
            status.held = served.held.count
            status.unavailable = served.unavailable.count
            status.heldHosts = Array((served.held.map(\.host) + served.unavailable).prefix(100))
        }
        status.report()
    }
}

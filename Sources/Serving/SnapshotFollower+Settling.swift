internal import Logging
internal import Snapshot

/// From an offered manifest to what is served.
extension SnapshotFollower {
    /// Starts from the disk alone. A directory that cannot be read is as good as an empty one: the source fills it.
    func loadFromDisk() async {
        let directory = directory
        let trusted = trusted
        do throws(SnapshotDirectoryError) {
            let stored = try await DiskThread.run { () throws(SnapshotDirectoryError) in
                try directory.load(trusted: trusted)
            }
            guard let stored else { return }
            let merge = SnapshotMerge(offered: stored.manifest, serving: stored.held, mayWithdraw: false)
            let outcome = SnapshotOutcome(merge.targets, available: try await onDisk(merge.targets, isReused: false))
            try await apply(outcome, of: stored.manifest)
            accepted = stored.manifest
            acceptedHash = stored.manifestHash
            tag = "\"\(stored.manifestHash.hex)\""
            plan(retriesOf: outcome.missing)
            isWhole = merge.doubts.isEmpty && outcome.missing.isEmpty
            logger.info(
                "snapshot loaded from the disk",
                metadata: ["activation": "\(stored.manifest.activation)", "hosts": "\(serving.count)"])
        } catch {
            note(.directory(error))
        }
    }

    /// Takes over a manifest from the source if it can be trusted and does not go back.
    func take(_ signed: [UInt8], tag: String) async throws(SnapshotDoubt) {
        let offered: Manifest
        do throws(ManifestError) {
            offered = try Manifest(verifying: signed, trusted: trusted)
        } catch {
            throw .manifest(error)
        }
        try SnapshotMerge.check(offered, after: accepted, serving: serving.count)
        if try await settle(offered, signed: signed, tag: tag) { self.tag = tag }
    }

    /// Gets what is missing, keeps all of it on the disk, and hands it to the consumer.
    ///
    /// - Parameters:
    ///   - signed: the bytes of a new manifest; nil where `offered` is the one on the disk already.
    ///   - tag: the tag of `signed`.
    /// - Returns: false where the source has a newer manifest meanwhile, and nothing was changed.
    @discardableResult
    func settle(_ offered: Manifest, signed: [UInt8]?, tag: String?) async throws(SnapshotDoubt) -> Bool {
        let isHigher = accepted.map { offered.activation > $0.activation } ?? true
        let merge = SnapshotMerge(offered: offered, serving: serving, mayWithdraw: isHigher)
        for doubt in merge.doubts { note(doubt) }
        do throws(SnapshotDirectoryError) {
            var available = try await onDisk(merge.targets, isReused: true)
            available.formUnion(try await fetch(SnapshotOutcome(merge.targets, available: available).missing))
            let outcome = SnapshotOutcome(merge.targets, available: available)
            if signed != nil, await isOvertaken(offered, tag: tag) { return false }
            try await keep(outcome, of: offered, signed: signed)
            try await apply(outcome, of: offered)
            accepted = offered
            if let signed { acceptedHash = ContentHash(of: signed) }
        } catch {
            throw .directory(error)
        }
        isWhole = merge.doubts.isEmpty && retries.isEmpty
        if isWhole { settled() }
        await collectGarbage()
        return true
    }

    /// Whether the source has a newer manifest than this one. If it does not answer, this one is the newest known.
    private func isOvertaken(_ offered: Manifest, tag: String?) async -> Bool {
        guard configuration.confirmsBeforeApplying, overtakings < Self.mostOvertakings,
            case .manifest(let signed, _) = try? await source.manifest(unless: tag, wait: .zero),
            let newer = try? Manifest(verifying: signed, trusted: trusted), newer.activation > offered.activation
        else {
            overtakings = 0
            return false
        }
        overtakings += 1
        return true
    }

    private func keep(
        _ outcome: SnapshotOutcome, of offered: Manifest, signed: [UInt8]?
    ) async throws(SnapshotDirectoryError) {
        let directory = directory
        let hash = acceptedHash
        let held = outcome.held(from: offered)
        try await DiskThread.run { () throws(SnapshotDirectoryError) in
            if let signed {
                try directory.store(signed: signed, activation: offered.activation, held: held)
            } else if let hash {
                try directory.store(held: held, of: hash)
            }
        }
    }

    private func apply(_ outcome: SnapshotOutcome, of manifest: Manifest) async throws(SnapshotDirectoryError) {
        let served = ServedSnapshot(
            activation: manifest.activation, entries: outcome.entries, unavailable: outcome.unavailable)
        let directory = directory
        let consumer = consumer
        try await DiskThread.run { () throws(SnapshotDirectoryError) in
            try consumer.apply(served, from: directory)
        }
        serving = outcome.entries
        let held = outcome.held(from: manifest)
        update { status in
            status.activation = manifest.activation
            status.hosts = outcome.entries.count
            status.held = held.count
            status.unavailable = outcome.unavailable.count
            status.heldHosts = Array((held.map(\.host) + outcome.unavailable).prefix(100))
        }
        status.report()
    }
}

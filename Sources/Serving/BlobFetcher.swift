internal import Snapshot

/// Gets the blobs that are missing, checks each, and stores those that are good.
struct BlobFetcher: Sendable {
    /// How many are asked for at a time.
    static let concurrency = 8
    /// How many are written before the directory is waited for.
    static let batch = 64

    let source: any SnapshotSource
    let directory: SnapshotDirectory

    /// Fetches, verifies, stores.
    ///
    /// - Returns: what is stored now, and a doubt for each that failed. When the source itself fails, what has not been
    ///   asked for yet is in neither.
    func fetch(
        _ wanted: [ManifestFile]
    ) async throws(SnapshotDirectoryError) -> (stored: Set<ManifestFile>, doubts: [ManifestFile: SnapshotDoubt]) {
        var stored: Set<ManifestFile> = []
        var doubts: [ManifestFile: SnapshotDoubt] = [:]
        for start in stride(from: 0, to: wanted.count, by: Self.batch) {
            let batch = wanted[start..<min(start + Self.batch, wanted.count)]
            var blobs: [Blob] = []
            var isSourceGone = false
            for (item, result) in await outcomes(of: batch) {
                switch result {
                case .success(let blob):
                    blobs.append(blob)
                    stored.insert(item)
                case .failure(let doubt):
                    doubts[item] = doubt
                    if case .blobNotFetched(_, let error) = doubt, error.concernsTheSource { isSourceGone = true }
                }
            }
            let good = blobs
            try await WorkThread.run { () throws(SnapshotDirectoryError) in try directory.store(good) }
            if isSourceGone { break }
        }
        return (stored, doubts)
    }

    private func outcomes(of batch: ArraySlice<ManifestFile>) async -> [(ManifestFile, Result<Blob, SnapshotDoubt>)] {
        await withTaskGroup(of: (ManifestFile, Result<Blob, SnapshotDoubt>).self) { group in
            var rest = batch.makeIterator()
            for _ in 0..<Self.concurrency {
                guard let item = rest.next() else { break }
                group.addTask { (item, await outcome(of: item)) }
            }
            var outcomes: [(ManifestFile, Result<Blob, SnapshotDoubt>)] = []
            for await outcome in group {
                outcomes.append(outcome)
                if case .failure(.blobNotFetched(_, let error)) = outcome.1, error.concernsTheSource { continue }
                if let item = rest.next() { group.addTask { (item, await self.outcome(of: item)) } }
            }
            return outcomes
        }
    }

    private func outcome(of item: ManifestFile) async -> Result<Blob, SnapshotDoubt> {
        let bytes: [UInt8]
        do throws(SnapshotSourceError) {
            bytes = try await source.blob(item.sha256, size: item.size)
        } catch {
            return .failure(.blobNotFetched(item.sha256, error))
        }
        do throws(BlobError) {
            return .success(try Blob(bytes, sha256: item.sha256, size: item.size))
        } catch {
            return .failure(.blob(item.sha256, error))
        }
    }
}

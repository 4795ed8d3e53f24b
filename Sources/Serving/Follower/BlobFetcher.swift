internal import Snapshot

/// Fetches missing blobs, verifies each, and stores the valid ones.
struct BlobFetcher: Sendable {
    /// The number of concurrent requests.
    static let concurrency = 4
    /// The maximum size of the blobs in one request, in bytes. A request for a single blob can exceed it.
    static let requestSize = 1 << 20
    /// The number of requests whose blobs are stored together, so that the disk is synchronized only once.
    static let requestsStored = 8

    let source: any SnapshotSource
    let directory: SnapshotDirectory

    private typealias Outcome = (item: ManifestFile, result: Result<Blob, SnapshotRejection>)

    /// Fetches, verifies and stores blobs.
    ///
    /// - Parameter hasFailed: Returns true for a blob that failed before. Such blobs are requested last, each on its
    ///   own.
    /// - Returns: The stored blobs, and a rejection for each failed blob. If the source itself fails, the remaining
    ///   blobs are not requested and are in neither result.
    func fetch(
        _ wanted: [ManifestFile], alone hasFailed: (ManifestFile) -> Bool
    ) async throws(SnapshotDirectoryError) -> (stored: Set<ManifestFile>, rejections: [ManifestFile: SnapshotRejection])
    {
        var stored: Set<ManifestFile> = []
        var rejections: [ManifestFile: SnapshotRejection] = [:]
        var rest = (requests(for: wanted.filter { !hasFailed($0) }) + wanted.filter(hasFailed).map { [$0] })[...]
        while !rest.isEmpty {
            var blobs: [Blob] = []
            var isSourceGone = false
            for (item, result) in await outcomes(of: rest.prefix(Self.requestsStored)) {
                switch result {
                case .success(let blob):
                    blobs.append(blob)
                    stored.insert(item)
                case .failure(let rejection):
                    rejections[item] = rejection
                    if rejection.concernsTheSource { isSourceGone = true }
                }
            }
            let good = blobs
            try await WorkThread.run { () throws(SnapshotDirectoryError) in try directory.store(good) }
            rest = isSourceGone ? [] : rest.dropFirst(Self.requestsStored)
        }
        return (stored, rejections)
    }

    private func requests(for wanted: [ManifestFile]) -> [[ManifestFile]] {
        var requests: [[ManifestFile]] = []
        var size = 0
        for item in wanted {
            size += item.size
            if let last = requests.indices.last, requests[last].count < BlobList.maximum, size <= Self.requestSize {
                requests[last].append(item)
            } else {
                requests.append([item])
                size = item.size
            }
        }
        return requests
    }

    private func outcomes(of requests: ArraySlice<[ManifestFile]>) async -> [Outcome] {
        await withTaskGroup(of: [Outcome].self) { group in
            var rest = requests.makeIterator()
            for _ in 0..<Self.concurrency {
                guard let request = rest.next() else { break }
                group.addTask { await outcomes(of: request) }
            }
            var all: [Outcome] = []
            for await outcomes in group {
                all += outcomes
                let isSourceGone = outcomes.contains { outcome in
                    if case .failure(let rejection) = outcome.result { rejection.concernsTheSource } else { false }
                }
                if !isSourceGone, let request = rest.next() { group.addTask { await self.outcomes(of: request) } }
            }
            return all
        }
    }

    private func outcomes(of request: [ManifestFile]) async -> [Outcome] {
        let found: [ContentHash: [UInt8]]
        do throws(SnapshotSourceError) {
            found = try await source.blobs(request.map(\.sha256))
        } catch {
            return request.map { ($0, .failure(.blobNotFetched($0.sha256, error))) }
        }
        return request.map { item in
            guard let bytes = found[item.sha256] else {
                return (item, .failure(.blobNotFetched(item.sha256, .missing)))
            }
            do throws(BlobError) {
                return (item, .success(try Blob(bytes, sha256: item.sha256, size: item.size)))
            } catch {
                return (item, .failure(.blob(item.sha256, error)))
            }
        }
    }
}

internal import Snapshot

/// Fetches missing blobs, verifies each, and stores the valid ones.
struct BlobFetcher: Sendable {
    /// The number of concurrent requests.
    static let concurrency = 4
    /// The maximum number of bytes, by the sizes in the manifest, in a request for more than one blob.
    static let requestSize = 1 << 20
    /// The number of requests whose blobs are stored together, so that they wait for the disk only once.
    static let requestsStored = 8

    let source: any SnapshotSource
    let directory: SnapshotDirectory

    private typealias Outcome = (item: ManifestFile, result: Result<Blob, SnapshotDoubt>)

    /// Fetches, verifies and stores blobs.
    ///
    /// - Parameter isDoubtful: whether a blob is requested separately, after the others.
    /// - Returns: the stored blobs, and a doubt for each that failed. If the source itself fails, blobs that were not
    ///   requested yet are in neither.
    func fetch(
        _ wanted: [ManifestFile], alone isDoubtful: (ManifestFile) -> Bool
    ) async throws(SnapshotDirectoryError) -> (stored: Set<ManifestFile>, doubts: [ManifestFile: SnapshotDoubt]) {
        var stored: Set<ManifestFile> = []
        var doubts: [ManifestFile: SnapshotDoubt] = [:]
        var rest = (requests(for: wanted.filter { !isDoubtful($0) }) + wanted.filter(isDoubtful).map { [$0] })[...]
        while !rest.isEmpty {
            var blobs: [Blob] = []
            var isSourceGone = false
            for (item, result) in await outcomes(of: rest.prefix(Self.requestsStored)) {
                switch result {
                case .success(let blob):
                    blobs.append(blob)
                    stored.insert(item)
                case .failure(let doubt):
                    doubts[item] = doubt
                    if doubt.concernsTheSource { isSourceGone = true }
                }
            }
            let good = blobs
            try await WorkThread.run { () throws(SnapshotDirectoryError) in try directory.store(good) }
            rest = isSourceGone ? [] : rest.dropFirst(Self.requestsStored)
        }
        return (stored, doubts)
    }

    private func requests(for wanted: [ManifestFile]) -> [[ManifestFile]] {
        var requests: [[ManifestFile]] = []
        var size = 0
        for item in wanted {
            size += item.size
            if let last = requests.indices.last, requests[last].count < BlobList.most, size <= Self.requestSize {
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
                    if case .failure(let doubt) = outcome.result { doubt.concernsTheSource } else { false }
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

public import Snapshot

/// Reads a snapshot from a directory that another process fills: an edge, a directory writer on a shared disk, or any
/// tool that copies the blobs before the manifest.
public struct DirectorySnapshotSource: SnapshotSource {
    private let path: String
    private let interval: Duration

    /// - Parameters:
    ///   - path: The directory with `manifest` and `blobs`. It is only read. It may be created later.
    ///   - interval: The time between checks for a change.
    public init(path: String, interval: Duration = .milliseconds(250)) {
        self.path = path
        self.interval = interval
    }

    /// Checks the manifest's file at intervals until it has changed or `wait` has passed.
    public func manifest(unless tag: String?, wait: Duration) async throws(SnapshotSourceError) -> ManifestAnswer {
        let clock = ContinuousClock()
        let end = clock.now + wait
        var seen: FileIdentity?
        while true {
            let now = FileIdentity(of: manifestPath)
            if now == nil || now != seen {
                seen = now
                let signed = try await read(manifestPath, limit: Manifest.largest)
                if let signed, case let found = Manifest.entityTag(of: signed), found != tag {
                    return .manifest(signed: signed, tag: found)
                }
                if signed == nil, tag == nil { throw .missing }
            }
            guard clock.now < end else { return .notModified }
            do { try await Task.sleep(for: interval) } catch { throw .cancelled }
        }
    }

    /// Reads the blobs' files. Supports both layouts.
    public func blobs(_ hashes: [ContentHash]) async throws(SnapshotSourceError) -> [ContentHash: [UInt8]] {
        var found: [ContentHash: [UInt8]] = [:]
        for sha256 in hashes {
            for layout in SnapshotDirectory.BlobLayout.allCases where found[sha256] == nil {
                found[sha256] = try await read("\(path)/\(layout.path(of: sha256))", limit: Blob.largest)
            }
        }
        return found
    }

    /// Does nothing.
    public func close() async {}

    private var manifestPath: String { "\(path)/manifest" }

    private func read(_ file: String, limit: Int) async throws(SnapshotSourceError) -> [UInt8]? {
        do throws(SnapshotDirectoryError) {
            return try await WorkThread.run { () throws(SnapshotDirectoryError) in
                do throws(FileSystemError) {
                    return try OpenFile.contents(of: file, limit: limit)
                } catch {
                    throw .fileSystem(error)
                }
            }
        } catch {
            throw .unreachable(error.description)
        }
    }
}

import ObjectStore
import Snapshot
import Storage

/// Brings an object in a bucket to its desired state: reads it, compares it, writes it if it has not changed meanwhile,
/// and reads it again.
struct BucketPush {
    /// The object could not be read.
    struct Unread: Error {
        let cause: ObjectStoreError
    }

    /// The reason why an object is not in its desired state, apart from the store's errors.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// The object has a later activation than the database. The database is probably older, for example after a
        /// restore.
        case ahead(Int64, known: Int64)
        /// After the write, the object still differs from the written content.
        case notKept([String])
        /// The database does not have the bytes.
        case noBytes

        var description: String {
            switch self {
            case .ahead(let shown, let known):
                "the bucket has activation \(shown), newer than \(known), the last one known here; it is not overwritten"
            case .notKept(let found):
                "the bucket does not keep written objects, or another writer changes them: \(found.joined(separator: ", "))"
            case .noBytes: "the file is not in the database"
            }
        }
    }

    /// The result of a successful push, for the metrics.
    enum Outcome: String {
        case current, written, deleted, repaired
    }

    /// The maximum number of writes. The second one is needed if the object changed between the read and the first
    /// write.
    private static let maximumWrites = 2

    let store: Store
    let target: PushedBucket
    let object: SinkObject
    /// The end of the worker's lease, by this machine's monotonic clock.
    let end: ContinuousClock.Instant

    /// Brings the object to its desired state. Throws `Unread` if the object could not be read. Throws another error if
    /// it could be read but not be brought to its desired state. Throws `SinkObjectLost` if the worker no longer holds
    /// the object. In this case, it has changed nothing, or has made the object due again.
    func run() async throws -> Outcome {
        ProcessFault.reach("bucket.claimed")
        var writes = 0
        var deletesUnderCondition = true
        do {
            var found: [String] = []
            while true {
                let stored = try await read()
                // Look up the desired state after the read. So it is never older than the last write of another worker.
                guard let want = try await want() else { return try await finish(nil, [], false) }
                let wanted = try await content(want)
                let differences = PushedBucket.differences(stored, from: wanted)
                if differences.isEmpty { return try await finish(want, found, writes > 0) }
                guard writes < Self.maximumWrites else { throw Failure.notKept(differences) }
                if let shown = stored.flatMap(PushedBucket.activation), shown > want.activation {
                    throw Failure.ahead(shown, known: want.activation)
                }
                if found.isEmpty { found = differences }
                // There must be time to finish the write before the lease ends. Otherwise another worker could write at
                // the same time.
                ProcessFault.reach("bucket.compared")
                guard ContinuousClock.now + Bucket.deadline < end else { throw SinkObjectLost() }
                ProcessFault.reach("bucket.writing")
                writes += 1
                try await write(wanted, over: stored, &deletesUnderCondition)
                ProcessFault.reach("bucket.written")
            }
        } catch let error as SinkObjectLost {
            // The write may have replaced a newer object, because two versions can have equal bytes. So the object must
            // be checked again.
            if writes > 0 { try await store.write { [object] in try $0.requeue(object) } }
            throw error
        }
    }

    private func read() async throws -> StoredObject? {
        do { return try await target.bucket.object(target.key(object)) } catch { throw Unread(cause: error) }
    }

    private func want() async throws -> SinkWant? {
        try await store.read { [object] in try $0.want(of: object) }
    }

    private func content(_ want: SinkWant) async throws -> ObjectContent? {
        guard let version = want.version, let sha256 = want.sha256, let organization = want.organization else {
            return nil
        }
        guard let bytes = try await store.read(as: organization, { try $0.blob(sha256) }),
            digest(bytes) == sha256
        else { throw Failure.noBytes }
        return target.content(bytes, activation: want.activation, version: version)
    }

    /// Writes the object. If it has changed since the read, does nothing, and the next read finds the change.
    private func write(
        _ wanted: ObjectContent?, over stored: StoredObject?, _ deletesUnderCondition: inout Bool
    ) async throws {
        let key = target.key(object)
        do {
            if let wanted {
                try await target.bucket.put(wanted, at: key, replacing: stored?.etag)
            } else if let stored {
                try await target.bucket.delete(key, known: deletesUnderCondition ? stored.etag : nil)
            }
        } catch ObjectStoreError.changedMeanwhile {
        } catch ObjectStoreError.noCondition {
            // The next attempt has no condition. Before it, the object, the desired state and the remaining time are
            // checked again.
            deletesUnderCondition = false
        }
    }

    private func finish(_ want: SinkWant?, _ found: [String], _ hasWritten: Bool) async throws -> Outcome {
        // The object was up to date with this activation, but differed now. So another client has changed it.
        if hasWritten, let want, want.activation == object.activation, let organization = want.organization {
            try await store.write(as: organization, by: .system) { [object] in
                try $0.markCurrent(object, as: want, repairing: found)
            }
            return .repaired
        }
        try await store.write { [object] in try $0.markCurrent(object, as: want) }
        return hasWritten ? (want?.version == nil ? .deleted : .written) : .current
    }
}

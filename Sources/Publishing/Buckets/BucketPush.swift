import ObjectStore
import Snapshot
import Storage

/// Brings one object of a bucket to its desired state: reads it, compares it, writes it on the condition that it has
/// not changed since, and reads it again.
struct BucketPush {
    /// The object could not be read.
    struct Unread: Error {
        let cause: ObjectStoreError
    }

    /// The reason why an object is not in its desired state, apart from the store's errors.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// The object has a later activation than the database. The database is older, for example after a restore.
        case ahead(Int64, known: Int64)
        /// After the write, the object differs from the written content.
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

    /// The result.
    enum Outcome: String {
        case current, written, deleted, repaired
    }

    /// The second write is for an object that changed between the read and the first write.
    private static let maximumWrites = 2

    let store: Store
    let target: PushedBucket
    let object: SinkObject
    /// The end of the lease, by this machine's steady clock.
    let end: ContinuousClock.Instant

    /// Throws `Unread` if the object could not be read, and another error if it could be read but is not in its desired
    /// state. Throws `SinkObjectLost` if the worker has lost the object; it then has changed nothing, or has made the
    /// object due again.
    func run() async throws -> Outcome {
        ProcessFault.reach("bucket.claimed")
        var writes = 0
        var deletesUnderCondition = true
        do {
            var found: [String] = []
            while true {
                let stored = try await read()
                // After the read, so that the desired state is never older than the write of another worker that holds
                // the lease.
                guard let want = try await want() else { return try await finish(nil, [], false) }
                let wanted = try await content(want)
                let differences = PushedBucket.differences(stored, from: wanted)
                if differences.isEmpty { return try await finish(want, found, writes > 0) }
                guard writes < Self.maximumWrites else { throw Failure.notKept(differences) }
                if let shown = stored.flatMap(PushedBucket.activation), shown > want.activation {
                    throw Failure.ahead(shown, known: want.activation)
                }
                if found.isEmpty { found = differences }
                // A write that starts now ends before another worker can start one.
                ProcessFault.reach("bucket.compared")
                guard ContinuousClock.now + Bucket.deadline < end else { throw SinkObjectLost() }
                ProcessFault.reach("bucket.writing")
                writes += 1
                try await write(wanted, over: stored, &deletesUnderCondition)
                ProcessFault.reach("bucket.written")
            }
        } catch let error as SinkObjectLost {
            // The store may have overwritten a newer object, because two versions can have equal bytes.
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
        guard let version = want.version, let sha256 = want.sha256 else { return nil }
        guard let bytes = try await store.read(as: want.organization, { try $0.blob(sha256) }),
            digest(bytes) == sha256
        else { throw Failure.noBytes }
        return target.content(bytes, activation: want.activation, version: version)
    }

    /// Writes the object. If it has changed since the read, nothing is written, and the next read will see the change.
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
            // The next attempt is unconditional. Before it, the object, the desired state and the remaining time are
            // checked again.
            deletesUnderCondition = false
        }
    }

    private func finish(_ want: SinkWant?, _ found: [String], _ hasWritten: Bool) async throws -> Outcome {
        // The object was correct at this activation and is not any more, so another writer has changed it.
        if hasWritten, let want, want.activation == object.activation {
            try await store.write(as: want.organization, by: .system) { [object] in
                try $0.markCurrent(object, as: want, repairing: found)
            }
            return .repaired
        }
        try await store.write { [object] in try $0.markCurrent(object, as: want) }
        return hasWritten ? (want?.version == nil ? .deleted : .written) : .current
    }
}

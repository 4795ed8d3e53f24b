import ObjectStore
import Snapshot
import Storage

/// Brings one object of a bucket to what it shall be: reads it, compares it, writes it under the condition that it is
/// still what was read, and reads it back.
struct BucketPush {
    /// What is at the object's key could not be read.
    struct Unread: Error {
        let cause: ObjectStoreError
    }

    /// Why an object is not what it shall be, besides what the store says.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// The object shows a later change than the database knows of: the database is older, as after a restore.
        case ahead(Int64, known: Int64)
        /// What is read after it was written is something else.
        case notKept([String])
        /// The bytes are not in the database.
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

    /// What came of it.
    enum Outcome: String {
        case current, written, deleted, repaired
    }

    /// A second write is for one that came in between.
    private static let mostWrites = 2

    let store: Store
    let target: PushedBucket
    let object: SinkObject
    /// The end of the lease, by this machine's steady clock.
    let end: ContinuousClock.Instant

    /// Throws `Unread`; another error when the object was read and is not what it shall be; `SinkObjectLost` when it is no
    /// longer this worker's: it has changed nothing then, or has had the object looked at again.
    func run() async throws -> Outcome {
        ProcessFault.reach("bucket.claimed")
        var writes = 0
        var deletesUnderCondition = true
        do {
            var found: [String] = []
            while true {
                let stored = try await read()
                // After the reading: no object that another worker has rightly written can be later than this.
                guard let want = try await want() else { return try await settle(nil, [], false) }
                let wanted = try await content(want)
                let differences = PushedBucket.differences(stored, from: wanted)
                if differences.isEmpty { return try await settle(want, found, writes > 0) }
                guard writes < Self.mostWrites else { throw Failure.notKept(differences) }
                if let shown = stored.flatMap(PushedBucket.activation), shown > want.activation {
                    throw Failure.ahead(shown, known: want.activation)
                }
                if found.isEmpty { found = differences }
                // A write that begins now ends before anybody else may begin one.
                ProcessFault.reach("bucket.compared")
                guard ContinuousClock.now + Bucket.deadline < end else { throw SinkObjectLost() }
                ProcessFault.reach("bucket.writing")
                writes += 1
                try await write(wanted, over: stored, &deletesUnderCondition)
                ProcessFault.reach("bucket.written")
            }
        } catch let error as SinkObjectLost {
            // The store may have taken the write for one over what it read: the bytes of two versions can be the same.
            if writes > 0 { try await store.write { [object] in try $0.doubt(object) } }
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

    /// Where somebody else has written meanwhile, nothing is written: the next reading finds it.
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
            // The next time without one: after another look at the object, at what is live, and at the time left.
            deletesUnderCondition = false
        }
    }

    private func settle(_ want: SinkWant?, _ found: [String], _ hasWritten: Bool) async throws -> Outcome {
        // What was right at this activation, and is not any more, was changed by somebody else.
        if hasWritten, let want, want.activation == object.activation {
            try await store.write(as: want.organization, by: .system) { [object] in
                try $0.settle(object, as: want, repairing: found)
            }
            return .repaired
        }
        try await store.write { [object] in try $0.settle(object, as: want) }
        return hasWritten ? (want?.version == nil ? .deleted : .written) : .current
    }
}

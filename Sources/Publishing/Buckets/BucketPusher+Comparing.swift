import Logging
import Metrics
import ObjectStore
import Snapshot
import Storage

/// Compares a bucket's listing with the last known state of its objects, to find objects that another client has
/// deleted or written. The pusher then repairs each of them.
extension BucketPusher {
    /// The maximum number of pages. A longer listing is treated as endless. A million hosts need 2,000 pages.
    static let maximumPages = 5_000

    /// The minimum number of objects in a statement. All objects of a host must be in the same statement.
    static let comparedAtOnce = 2_000

    /// Compares at intervals until the task is cancelled.
    func compare(_ sink: Sink) async {
        var complaint: ObjectStoreError?
        while !Task.isCancelled {
            if let cause = await logged({ try await compareOnce(sink) }), cause?.description != complaint?.description {
                if let cause {
                    logger.warning(
                        "A bucket cannot be listed.", metadata: ["cause": "\(cause)", "detail": "\(cause.detail)"])
                }
                complaint = cause
            }
            try? await Task.sleep(for: min(.seconds(5), .seconds(target.comparisonSeconds)))
        }
    }

    /// Lists the bucket if this is due and no other worker does it. Returns the error of a failed listing.
    func compareOnce(_ sink: Sink) async throws -> ObjectStoreError? {
        let claimed = try await store.write { [listingLeaseSeconds] in
            try $0.claimListing(of: sink, leaseSeconds: listingLeaseSeconds)
        }
        guard let listing = claimed else { return nil }
        do {
            let cause = try await lease(listing).holding { try await compare(listing) }
            try await store.write { [seconds = target.comparisonSeconds] in
                try $0.end(listing, cause: cause?.description, nextInSeconds: seconds)
            }
            countComparison(cause == nil ? "compared" : "failed")
            return cause
        } catch let error as SinkListingLost {
            logger.warning(
                "A comparison of a bucket is given up: another worker has taken it over.",
                metadata: ["leaseSeconds": "\(listingLeaseSeconds)"])
            countComparison("lost")
            throw error
        }
    }

    private func countComparison(_ outcome: String) {
        Counter(label: "waymark_bucket_comparisons_total", dimensions: dimensions + [("outcome", outcome)]).increment()
    }

    private func lease(_ listing: SystemTransaction.Listing) -> Lease {
        Lease(seconds: listingLeaseSeconds, lost: SinkListingLost()) { [store, listingLeaseSeconds] in
            try await store.write { try $0.renew(listing, leaseSeconds: listingLeaseSeconds) }
        }
    }

    private func compare(_ listing: SystemTransaction.Listing) async throws -> ObjectStoreError? {
        let entries: [Entry]
        do {
            entries = try await list()
        } catch ObjectStoreError.cancelled {
            throw CancellationError()
        } catch let error as ObjectStoreError {
            return error
        }
        let ours = entries.filter { $0.path != nil }
        var foreign = entries.count - ours.count
        for part in Self.parts(ours, atLeast: Self.comparedAtOnce) {
            foreign += try await store.write { try $0.compare(listing, with: part) }
        }
        Gauge(label: "waymark_bucket_foreign_objects", dimensions: dimensions).record(foreign)
        return nil
    }

    /// A key in the listing. `path` is `nil` if the key belongs to no host.
    struct Entry: Sendable {
        var host = ""
        var path: String?
        var mark = ""
    }

    /// Reads the whole listing of the bucket. Throws `ObjectStoreError`.
    private func list() async throws -> [Entry] {
        var entries: [Entry] = []
        var page: String?
        for _ in 0..<Self.maximumPages {
            let answer = try await target.bucket.list(prefix: target.prefix, page: page)
            for entry in answer.entries {
                let place = target.place(ofKey: entry.key)
                entries.append(place.map { Entry(host: $0.host, path: $0.path, mark: entry.mark) } ?? Entry())
            }
            ProcessFault.reach("bucket.listed")
            page = answer.next
            if page == nil { return entries }
        }
        throw ObjectStoreError.unreadable("a list of more than \(Self.maximumPages) pages")
    }

    /// Splits the entries into parts. All entries of a host are in the same part.
    static func parts(_ entries: [Entry], atLeast size: Int) -> [SystemTransaction.Listed] {
        var parts: [SystemTransaction.Listed] = []
        var part = SystemTransaction.Listed()
        for entry in entries.sorted(by: { $0.host.utf8.lexicographicallyPrecedes($1.host.utf8) }) {
            if part.hosts.count >= size, let last = part.hosts.last, last != entry.host {
                part.last = last
                parts.append(part)
                part = SystemTransaction.Listed()
                part.after = last
            }
            part.hosts.append(entry.host)
            part.paths.append(entry.path ?? "")
            part.marks.append(entry.mark)
        }
        return parts + [part]
    }
}

import Logging
import Metrics
import ObjectStore
import Storage

/// Comparing what a bucket lists with what was seen there last: so that is found which somebody else has deleted or
/// written. What is found is looked at by the pusher, object by object.
extension BucketPusher {
    /// How long a worker may list a bucket before another may, in seconds.
    static let listingLeaseSeconds = 120

    /// Compares again and again until it is cancelled.
    func compare() async {
        var complaint: String?
        while !Task.isCancelled {
            if let cause = await logged({ try await compareOnce() }), cause != complaint {
                if let cause { logger.warning("A bucket cannot be listed.", metadata: ["cause": "\(cause)"]) }
                complaint = cause
            }
            try? await Task.sleep(for: min(.seconds(5), .seconds(target.comparisonSeconds)))
        }
    }

    /// Lists the bucket, where that is due and nobody else does it; why it could not be listed.
    private func compareOnce() async throws -> String? {
        let claimed = try await store.write { [sink = target.sink] in
            try $0.claimListing(of: sink, leaseSeconds: Self.listingLeaseSeconds)
        }
        guard let listing = claimed else { return nil }
        let cause = try await compare(listing)
        try await store.write { [seconds = target.comparisonSeconds] in
            try $0.end(listing, cause: cause, nextInSeconds: seconds)
        }
        return cause
    }

    private func compare(_ listing: Installation.Listing) async throws -> String? {
        let listed: Listed
        do throws(ObjectStoreError) {
            listed = try await list()
        } catch {
            if error == .cancelled { throw CancellationError() }
            return "\(error)"
        }
        let unknown = try await store.write { installation in
            try installation.compare(listing, hosts: listed.hosts, paths: listed.paths, marks: listed.marks)
        }
        Gauge(label: "waymark_bucket_foreign_objects", dimensions: dimensions).record(unknown + listed.others)
        return nil
    }

    /// What a bucket lists under the prefix, by columns.
    private struct Listed: Sendable {
        var hosts: [String] = []
        var paths: [String] = []
        var marks: [String] = []
        /// Keys that are no host's.
        var others = 0
    }

    private func list() async throws(ObjectStoreError) -> Listed {
        var listed = Listed()
        var page: String?
        repeat {
            let answer = try await target.bucket.list(prefix: target.prefix, page: page)
            for entry in answer.entries {
                guard let place = target.place(ofKey: entry.key) else {
                    listed.others += 1
                    continue
                }
                listed.hosts.append(place.host)
                listed.paths.append(place.path)
                listed.marks.append(entry.mark)
            }
            page = answer.next
        } while page != nil
        return listed
    }
}

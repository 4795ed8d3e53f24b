import HTTPTypes
import Publishing
import Storage
import StrictJSON

/// `/internal`: the snapshot for consumers.
extension API {
    func showManifest(_ call: Call) async throws -> Answer {
        let wait = try call.query("wait", in: 0...60, default: 0)
        let request = call.request
        let manifest = try await feed.manifest(
            unless: { Preconditions.isKnown($0, request) }, wait: .seconds(wait))
        guard !Preconditions.isKnown(manifest.tag, request) else {
            return Answer(.notModified).with(.eTag, manifest.tag)
        }
        if let delta = try await delta(to: manifest, for: request) { return delta }
        return Answer(.ok, fields: [.contentType: "text/plain; charset=utf-8"], body: manifest.bytes)
            .with(.eTag, manifest.tag).with(.cacheControl, "no-cache")
    }

    /// The delta from the consumer's manifest to `manifest` (RFC 3229). Returns `nil` if the consumer does not accept
    /// deltas, or if no delta is available.
    private func delta(to manifest: SnapshotFeed.Signed, for request: HTTPRequest) async throws -> Answer? {
        guard DeltaEncoding.isAccepted(request) else { return nil }
        for tag in Preconditions.knownTags(request) {
            guard let delta = try await feed.delta(from: tag, to: manifest) else { continue }
            // Only a cache that supports deltas may store a delta (RFC 3229, section 10.4.1).
            return Answer(
                .imUsed,
                fields: [
                    .contentType: "text/plain; charset=utf-8", .manipulation: DeltaEncoding.name, .deltaBase: tag,
                    .eTag: manifest.tag, .cacheControl: "no-store",
                ], body: delta)
        }
        return nil
    }

    func showBlobs(_ call: Call) async throws -> Answer {
        let wanted = try call.decode { $0.required("sha256", .array(of: .sha256, max: SnapshotFeed.maximumBlobs)) }
        return Answer(
            .ok, fields: [.contentType: "application/octet-stream", .cacheControl: "no-store"],
            body: try await feed.blobs(wanted))
    }

    func showBlob(_ call: Call) async throws -> Answer {
        let text = call.path("sha256")
        guard let sha256 = SnapshotFeed.sha256(hexadecimal: text), let file = try await feed.blob(sha256) else {
            throw APIError.notFound("live file", text)
        }
        return Answer(.ok, fields: [.contentType: "application/json"], body: file)
            .with(.eTag, "\"\(text)\"").with(.cacheControl, "private, max-age=31536000, immutable")
    }
}

extension JSONShape where Value == [UInt8] {
    /// A SHA-256 as manifests contain it.
    fileprivate static var sha256: JSONShape {
        JSONShape { value, pointer, faults in
            guard let sha256 = value.string.flatMap(SnapshotFeed.sha256(hexadecimal:)) else {
                faults.add(pointer, "invalid_sha256", "must be 64 hexadecimal digits in lower case")
                return nil
            }
            return sha256
        }
    }
}

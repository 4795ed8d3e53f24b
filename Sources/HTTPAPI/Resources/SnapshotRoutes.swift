import HTTPTypes
import Publishing
import Storage

/// `/internal`: the snapshot, for consumers.
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

    /// The way to a manifest from one that the caller has, where it says that it can follow one (RFC 3229); nil where it
    /// does not, or there is none.
    private func delta(to manifest: SnapshotFeed.Signed, for request: HTTPRequest) async throws -> Answer? {
        guard DeltaEncoding.isAccepted(request) else { return nil }
        for tag in Preconditions.knownTags(request) {
            guard let delta = try await feed.delta(from: tag, to: manifest) else { continue }
            // RFC 3229 section 10.4.1: only a cache that knows deltas may keep one, and there is none here.
            return Answer(
                .imUsed,
                fields: [
                    .contentType: "text/plain; charset=utf-8", .manipulation: DeltaEncoding.name, .deltaBase: tag,
                    .eTag: manifest.tag, .cacheControl: "no-store",
                ], body: delta)
        }
        return nil
    }

    func showBlob(_ call: Call) async throws -> Answer {
        let text = call.path("sha256")
        guard let sha256 = bytes(ofHexadecimal: text), sha256.count == 32, let file = try await feed.blob(sha256) else {
            throw APIError.notFound("live file", text)
        }
        return Answer(.ok, fields: [.contentType: "application/json"], body: file)
            .with(.eTag, "\"\(text)\"").with(.cacheControl, "private, max-age=31536000, immutable")
    }

    private func bytes(ofHexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}

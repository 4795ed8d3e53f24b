import HTTPTypes
import Publishing
import ServiceLifecycle
import Storage

/// `/internal`: the snapshot, for consumers.
extension API {
    func showManifest(_ call: Call) async throws -> Answer {
        let wait = try call.query("wait", in: 0...60, default: 0)
        let deadline = ContinuousClock.now + .seconds(wait)
        var manifest = try await feed.manifest()
        while Preconditions.isKnown(manifest.tag, call.request) {
            let left = deadline - .now
            guard left > .zero, !Task.isCancelled, !Task.isShuttingDownGracefully else {
                return Answer(.notModified).with(.eTag, manifest.tag)
            }
            await liveDoorbell.wait(atMost: min(left, .seconds(1)))
            manifest = try await feed.manifest()
        }
        return Answer(.ok, fields: [.contentType: "text/plain; charset=utf-8"], body: manifest.bytes)
            .with(.eTag, manifest.tag).with(.cacheControl, "no-cache")
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

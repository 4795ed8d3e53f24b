import ObjectStore
import TestSupport
import Testing

/// A bucket's reaction to unusual answers.
@Suite("Bucket", .timeLimit(.minutes(1)))
struct BucketTests {
    /// Runs `body` with a bucket at a server that answers with a script.
    private func withBucket(
        connections: Int = 4, _ script: ScriptedServer.Script, _ body: (Bucket) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer { _ in script }
        let address = try #require(
            BucketAddress(endpoint: server.baseURL, region: "us-east-1", bucket: "links", style: .path))
        let bucket = Bucket(address, connections: connections) {
            Credentials(accessKeyID: "id", secretAccessKey: "secret")
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(bucket)) } catch { result = .failure(error) }
        await bucket.close()
        try await server.close()
        try result.get()
    }

    @Test("an object that is too large is read without its bytes")
    func large() async throws {
        let fields = [("ETag", "\"tag\""), ("Content-Type", "text/plain"), ("x-amz-meta-Activation", "7")]
        let body = [UInt8](repeating: 0x20, count: Bucket.largestObject + 1)
        try await withBucket(.answer(200, fields: fields, body: body)) { bucket in
            let found = try #require(try await bucket.object("key"))
            #expect(found.bytes == nil)
            #expect((found.etag, found.contentType, found.metadata) == ("\"tag\"", "text/plain", ["activation": "7"]))
        }
        try await withBucket(.answer(200, fields: fields, body: body.dropLast())) { bucket in
            let found = try await bucket.object("key")
            #expect(found?.bytes?.count == Bucket.largestObject)
        }
    }

    /// The answer comes long after every deadline, so that it is never early on a busy machine.
    @Test("waiting too long for an answer or for a connection is a timeout")
    func connections() async throws {
        try await withBucket(connections: 1, .answer(404, afterMilliseconds: 50_000)) { bucket in
            await withTaskGroup { group in
                for key in ["one", "two"] {
                    group.addTask {
                        await #expect(throws: ObjectStoreError.timedOut) { try await bucket.object(key) }
                    }
                }
            }
        }
    }

    @Test("an object deleted after it was read counts as changed meanwhile")
    func deleted() async throws {
        let content = ObjectContent(bytes: [], contentType: "text/plain", cacheControl: "no-store", metadata: [:])
        let error = Array("<Error><Code>NoSuchKey</Code></Error>".utf8)
        try await withBucket(.answer(404, body: error)) { bucket in
            await #expect(throws: ObjectStoreError.changedMeanwhile) {
                try await bucket.put(content, at: "key", replacing: "\"tag\"")
            }
            try await bucket.delete("key", known: "\"tag\"")
        }
    }
}

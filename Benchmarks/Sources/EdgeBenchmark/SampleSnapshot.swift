import Foundation
import Logging
import Serving
import Snapshot

/// The data for both servers, in a folder: a snapshot for the edge, and the output of a directory writer.
struct SampleSnapshot {
    static let hosts = 10_000
    /// The size of each file in bytes.
    static let size = 2_048

    let folder: String

    var snapshotFolder: String { folder + "/snapshot" }
    var source: DirectorySnapshotSource { DirectorySnapshotSource(path: snapshotFolder) }
    private var kept: String { folder + "/kept" }
    private var keyFile: String { folder + "/key" }

    /// The key that signed the snapshot.
    func verificationKey() throws -> VerificationKey {
        try SigningKey(base64: String(contentsOfFile: keyFile, encoding: .utf8)).verificationKey
    }

    /// Writes the snapshot, and the folder with a directory writer.
    func write(logger: Logger) async throws {
        let key = try SigningKey()
        let directory = try SnapshotDirectory(path: snapshotFolder)
        try Data(key.base64.utf8).write(to: URL(filePath: keyFile))
        let blobs = try (0..<Self.hosts).map { try Blob(Self.file($0)) }
        for start in stride(from: 0, to: blobs.count, by: 500) {
            try directory.store(Array(blobs[start..<min(start + 500, blobs.count)]))
        }
        let entries = blobs.enumerated().map { index, blob in
            ManifestEntry(
                host: Self.host(index), activation: Int64(index + 1), version: 1, sha256: blob.sha256,
                size: blob.bytes.count)
        }
        let manifest = try Manifest(activation: Int64(Self.hosts), entries: entries)
        try directory.store(signed: manifest.signed(by: key), activation: manifest.activation, held: [])
        try await keep(trusting: key.verificationKey, logger: logger)
    }

    private func keep(trusting key: VerificationKey, logger: Logger) async throws {
        let writer = try DirectoryWriter(
            configuration: DirectoryWriter.Configuration(root: kept), source: source, trusted: [key], logger: logger)
        let running = Task { try await writer.run() }
        while writer.follower.status.hosts < Self.hosts { try await Task.sleep(for: .milliseconds(50)) }
        running.cancel()
        _ = try? await running.value
    }

    /// Writes nginx's configuration: the operators' configuration for the folder, with one worker and without a log.
    func writeNginxConfiguration(port: Int) throws -> String {
        let given = String(#filePath.dropLast("Benchmarks/Sources/EdgeBenchmark/SampleSnapshot.swift".count))
        let server = try String(contentsOfFile: given + "deploy/nginx/waymark.conf", encoding: .utf8)
            .replacing("listen 80 default_server;", with: "listen 127.0.0.1:\(port) default_server;")
            .replacing("/var/lib/waymark/directory;", with: "\(kept);")
        let text = """
            worker_processes 1;
            daemon off;
            pid \(folder)/nginx.pid;
            events { worker_connections 1024; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000000;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
            \(server)
            }
            """
        // nginx's workers run as a different user.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        let path = folder + "/nginx.conf"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Writes the script for `wrk`. The hosts are in an order that no cache can predict, and all requests are prepared.
    func writeScript() throws -> String {
        let text = """
            local requests = {}
            function init()
              for i = 1, \(Self.hosts) do
                local host = string.format("app%05d.customers.example", (i * 7919) % \(Self.hosts))
                requests[i] = wrk.format("GET", "/.well-known/apple-app-site-association", { Host = host })
              end
            end
            local last = 0
            function request()
              last = last % \(Self.hosts) + 1
              return requests[last]
            end
            """
        let path = folder + "/hosts.lua"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private static func host(_ index: Int) -> String {
        let digits = String(index)
        return "app" + String(repeating: "0", count: 5 - digits.count) + digits + ".customers.example"
    }

    private static func file(_ index: Int) -> [UInt8] {
        let start = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app\#(index)"],"components":["#
        var rules = #"{"/":"/start"}"#
        var number = 0
        let end = "]}]}}"
        while start.utf8.count + rules.utf8.count + end.utf8.count + 40 < size {
            rules += #",{"/":"/customers/\#(index)/part-\#(number)/*"}"#
            number += 1
        }
        let text = start + rules + end
        return Array((text + String(repeating: " ", count: size - text.utf8.count)).utf8)
    }
}

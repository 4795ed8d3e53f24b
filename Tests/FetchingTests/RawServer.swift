import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// A server that sends raw text to each client, over TLS if it has a certificate.
final class RawServer: Sendable {
    private let channel: any Channel
    private let names = NIOLockedValueBox<[String]>([])

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
    /// The names that clients sent (SNI).
    var serverNames: [String] { names.withLockedValue { $0 } }

    init(certificate: TestCertificate? = nil, _ script: @escaping @Sendable (any Channel) -> Void) async throws {
        let context = try certificate.map {
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: $0.chain.map { .certificate($0) }, privateKey: .privateKey($0.key)))
        }
        let names = names
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(
                            ByteToMessageHandler(
                                SNIHandler { result in
                                    if case .hostname(let name) = result { names.withLockedValue { $0.append(name) } }
                                    return channel.eventLoop.makeSucceededVoidFuture()
                                }))
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try pipeline.addHandler(Talker(script: script))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    func close() async throws { try await channel.close() }
}

extension Channel {
    func write(_ text: String) { writeAndFlush(ByteBuffer(string: text), promise: nil) }
}

/// Sends the text as soon as the client has sent something.
private final class Talker: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let script: @Sendable (any Channel) -> Void

    init(script: @escaping @Sendable (any Channel) -> Void) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { script(context.channel) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// A self-signed certificate, made by openssl.
struct TestCertificate: Sendable {
    private let pem: [UInt8]

    var chain: [NIOSSLCertificate] {
        get throws { try NIOSSLCertificate.fromPEMBytes(pem) }
    }

    var key: NIOSSLPrivateKey {
        get throws { try NIOSSLPrivateKey(bytes: pem, format: .pem) }
    }

    init(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=\(name)", "-addext",
            "subjectAltName=DNS:\(name)", "-keyout", folder.appending(path: "key").path, "-out",
            folder.appending(path: "certificate").path,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        pem = try ["key", "certificate"].flatMap { try [UInt8](Data(contentsOf: folder.appending(path: $0))) }
    }
}

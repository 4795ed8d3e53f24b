import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle

/// Serves `/metrics` of the API process on a separate address.
struct MetricsServer {
    static func service(at address: Address, _ registry: MetricsRegistry, logger: Logger) -> some Service {
        let router = Router()
        router.get("/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: registry.text())))
        }
        return Application(
            router: router, server: .http1(configuration: .init(idleTimeout: .seconds(30))),
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
            onServerRunning: { await Build.waitForDescriptors($0) },
            logger: logger)
    }
}

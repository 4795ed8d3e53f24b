import FoundationEssentials
import Logging
import NIOPosix
import ServiceLifecycle

/// Looks at files once a second and takes over what has changed, so that keys are exchanged without a restart. Content
/// that cannot be used changes nothing, and is said once.
struct FileWatch: Service {
    /// How often it looks.
    static let interval = Duration.seconds(1)

    let paths: [String]
    let logger: Logger
    /// Reads the files anew and uses what they hold. Called at the start as well.
    let takeOver: @Sendable () async throws -> Void

    init(paths: [String], logger: Logger, takeOver: @escaping @Sendable () async throws -> Void) {
        self.paths = paths
        self.logger = logger
        self.takeOver = takeOver
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var used: [Data?]?
            var complaint: String?
            while !Task.isCancelled {
                do {
                    let found = try await contents()
                    if found != used {
                        try await takeOver()
                        if used != nil { logger.info("keys taken over", metadata: ["files": "\(paths)"]) }
                        used = found
                        complaint = nil
                    }
                } catch is CancellationError {
                    return
                } catch {
                    if complaint != "\(error)" {
                        complaint = "\(error)"
                        logger.error("keys cannot be taken over; those before stay", metadata: ["cause": "\(error)"])
                    }
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func contents() async throws -> [Data?] {
        let paths = paths
        return try await NIOThreadPool.singleton.runIfActive {
            paths.map { FileManager.default.contents(atPath: $0) }
        }
    }
}

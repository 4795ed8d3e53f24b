import FoundationEssentials
import Logging
import NIOPosix
import ServiceLifecycle

/// Reads files every second and applies changes, so that keys can be rotated without a restart. Invalid content is not
/// applied, and is logged only once.
struct FileWatch: Service {
    /// The interval between reads.
    static let interval = Duration.seconds(1)

    let paths: [String]
    let logger: Logger
    /// Reads the files and applies their content. Also called when the process starts.
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
                        if used != nil { logger.info("changed keys are used", metadata: ["files": "\(paths)"]) }
                        used = found
                        complaint = nil
                    }
                } catch is CancellationError {
                    return
                } catch {
                    if complaint != "\(error)" {
                        complaint = "\(error)"
                        logger.error(
                            "changed keys cannot be used; the previous keys stay in use",
                            metadata: ["cause": "\(error)"])
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

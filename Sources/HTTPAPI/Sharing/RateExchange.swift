import Logging
import Postgres
public import ServiceLifecycle
import Storage

/// Adds the requests of this process's busy clients to those of the other API processes, once a second.
public struct RateExchange: Service {
    /// The pause between two exchanges.
    static let interval = Duration.seconds(1)

    let store: Store
    let limiter: RateLimiter
    let logger: Logger

    /// Runs until the service shuts down. While the database is unavailable, this process counts alone.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var (cleanedIn, isFailing) = (0, false)
            while !Task.isCancelled {
                do {
                    let minute = try await exchange()
                    if minute > cleanedIn {
                        try await store.write { try $0.forgetRateCounts(before: minute - 1) }
                        cleanedIn = minute
                    }
                    isFailing = false
                } catch {
                    if !isFailing, !Task.isCancelled {
                        logger.warning(
                            "Rate limits cannot be exchanged; this process counts alone.",
                            metadata: ["error": "\(error)"])
                    }
                    isFailing = true
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Exchanges the counts once. Returns the minute. Without busy clients, it sends no query.
    func exchange() async throws -> Int {
        let (minute, counts) = limiter.begin()
        guard !counts.isEmpty else { return minute }
        do {
            limiter.finish(counts, with: try await store.write { try $0.add(counts, in: minute) }, in: minute)
        } catch {
            limiter.finish(counts, with: nil, in: minute)
            throw error
        }
        return minute
    }
}

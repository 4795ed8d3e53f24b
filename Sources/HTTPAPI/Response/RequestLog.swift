import Logging
import Synchronization

/// What a handler adds to the log line of its request, such as who signed in and how.
final class RequestLog: Sendable {
    /// The log of the request that the current task handles, or `nil` if it only reads.
    @TaskLocal static var current: RequestLog?

    private let noted = Mutex<Logger.Metadata>([:])

    /// The noted fields.
    var metadata: Logger.Metadata { noted.withLock { $0 } }

    /// Notes a field. It must not be a secret, nor a text that a visitor typed, which may be one.
    static func note(_ name: String, _ value: some CustomStringConvertible) {
        current?.noted.withLock { $0[name] = "\(value)" }
    }
}

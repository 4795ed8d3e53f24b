import Synchronization

/// A file compiled for one generation of systems. It caches the alternative readings (``FileReading``) that
/// explanations have needed. Explainers on any thread can share it.
public final class CompiledFile: Sendable {
    /// The maximum number of cached readings. Each takes about as much memory as the compiled file.
    static let maximumReadings = 1

    /// The file.
    public let association: Association
    /// The compiled file, for decisions.
    public let compiled: CompiledAssociation

    private let readings = Mutex<[OpenRule?: FileReading]>([:])

    /// Compiles a file.
    public init(_ association: Association, os system: SystemVersion = .latest) {
        self.association = association
        compiled = CompiledAssociation(association, os: system)
    }

    /// The file in the alternative reading of one open rule, or in the usual reading if `departure` is `nil`.
    func reading(_ departure: OpenRule?) -> FileReading {
        if let known = readings.withLock({ $0[departure] }) { return known }
        // Created outside the lock. Two callers may both create it, but neither waits for the other.
        let reading = FileReading(association, os: compiled.system, departure: departure)
        readings.withLock { readings in
            if readings.count < Self.maximumReadings { readings[departure] = reading }
        }
        return reading
    }
}

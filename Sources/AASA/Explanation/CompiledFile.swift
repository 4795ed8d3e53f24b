import Synchronization

/// A file compiled for one generation of systems, with the readings that explanations have needed so far. Explainers on any
/// thread can share it.
public final class CompiledFile: Sendable {
    /// The maximum number of readings that are kept. Each takes about as much memory as the compiled file.
    static let maximumReadings = 1

    /// The file.
    public let association: Association
    /// The file, ready to decide.
    public let compiled: CompiledAssociation

    private let readings = Mutex<[OpenRule?: FileReading]>([:])

    /// Compiles a file.
    public init(_ association: Association, os system: SystemVersion = .latest) {
        self.association = association
        compiled = CompiledAssociation(association, os: system)
    }

    /// The file with one open rule read the other way; with none for nil.
    func reading(_ departure: OpenRule?) -> FileReading {
        if let known = readings.withLock({ $0[departure] }) { return known }
        // Outside the lock: two callers may both make it, but neither waits for the other.
        let reading = FileReading(association, os: compiled.system, departure: departure)
        readings.withLock { readings in
            if readings.count < Self.maximumReadings { readings[departure] = reading }
        }
        return reading
    }
}

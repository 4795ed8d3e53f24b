public import AASA
import Synchronization

/// A draft with its file and its findings. Both are computed on first use and cached.
public final class DraftContents: Sendable {
    private struct Known {
        var file: DraftFile?
        /// The last lint report, and the registered apps that it was computed with.
        var report: (registered: Set<AppID>, report: LintReport)?
    }

    /// The draft.
    public let draft: Draft
    private let known = Mutex(Known())

    init(_ draft: Draft) {
        self.draft = draft
    }

    /// The draft's file.
    public var file: DraftFile {
        if let file = known.withLock({ $0.file }) { return file }
        // Computed outside the lock. Two callers may both compute it, but neither waits for the other.
        let file = DraftFile(draft.association())
        known.withLock { $0.file = file }
        return file
    }

    /// The lint report on the file, see `Draft.lint(_:registered:)`.
    public func report(registered: Set<AppID>) -> LintReport {
        if let known = known.withLock({ $0.report }), known.registered == registered { return known.report }
        let report = draft.lint(file.bytes, registered: registered)
        known.withLock { $0.report = (registered, report) }
        return report
    }
}

/// The file that is generated from a draft.
public struct DraftFile: Sendable {
    /// The file's bytes.
    public let bytes: [UInt8]
    /// The SHA-256 of ``bytes``, 32 bytes.
    public let sha256: [UInt8]
    /// The parsed file.
    public let contents: FileContents

    init(_ association: Association) {
        bytes = association.bytes
        sha256 = digest(bytes)
        contents = FileContents(association)
    }
}

/// A parsed file. It is compiled for a system on first use. The results for the first two systems are cached.
public final class FileContents: Sendable {
    /// The maximum number of systems for which the compiled file is cached.
    private static let maximumSystems = 2

    /// The parsed file.
    public let association: Association
    private let compiled = Mutex<[SystemVersion: CompiledFile]>([:])

    /// Creates the contents of a parsed file.
    public init(_ association: Association) {
        self.association = association
    }

    /// The file compiled for this version of iOS.
    public func compiled(for system: SystemVersion) -> CompiledFile {
        if let known = compiled.withLock({ $0[system] }) { return known }
        let file = CompiledFile(association, os: system)
        compiled.withLock { compiled in
            if compiled.count < Self.maximumSystems { compiled[system] = file }
        }
        return file
    }
}

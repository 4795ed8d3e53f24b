/// A fault in a decoded document, with its place.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the document.
    public let pointer: JSONPointer
    /// A stable error code for programs: `required`, `wrong_type`, `unknown_key`, `not_nullable`, `too_long`,
    /// `too_short`, `too_many`, `out_of_range`, `invalid_…`, or a code of the domain.
    public let code: String
    /// The error message.
    public let detail: String

    /// Creates a fault.
    public init(pointer: JSONPointer, code: String, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }

    /// `pointer: detail`.
    public var description: String { "\(pointer.tokens.isEmpty ? "(root)" : pointer.description): \(detail)" }
}

/// All faults in a decoded document, in document order.
public struct JSONFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults: at least one, at most ``JSONFaultCollector/limit``.
    public let faults: [JSONFault]

    /// Creates the error from at least one fault.
    public init(_ faults: [JSONFault]) { self.faults = faults }

    /// One fault per line.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// An error about a value, with a stable code and a text. The errors of domain types conform to it, so that a reader
/// can report them with their place in the document.
public protocol JSONFaultReason: Error {
    /// A stable error code for programs.
    var code: String { get }
    /// The error message.
    var detail: String { get }
}

/// Collects the faults that the readers of one document find.
public final class JSONFaultCollector {
    /// The maximum number of faults to keep. A malicious document could have one per byte.
    public static let limit = 200

    /// The faults so far.
    public private(set) var faults: [JSONFault] = []

    /// Creates an empty collector.
    public init() {}

    /// Whether the limit is reached. Further faults are then dropped.
    public var isFull: Bool { faults.count >= Self.limit }

    /// Adds a fault, unless the limit is reached.
    public func add(_ pointer: JSONPointer, _ code: String, _ detail: String) {
        guard !isFull else { return }
        faults.append(JSONFault(pointer: pointer, code: code, detail: detail))
    }

    /// Throws all faults together, if there are any.
    public func throwIfAny() throws(JSONFaults) {
        if !faults.isEmpty { throw JSONFaults(faults) }
    }
}

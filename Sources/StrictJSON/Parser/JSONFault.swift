/// One fault of a decoded document, and its place.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the document.
    public let pointer: JSONPointer
    /// What is wrong; stable, for programs: `required`, `wrong_type`, `unknown_key`, `not_nullable`, `too_long`,
    /// `too_short`, `too_many`, `out_of_range`, `invalid_…`, or a code of the domain.
    public let code: String
    /// What is wrong, for people.
    public let detail: String

    /// A fault.
    public init(pointer: JSONPointer, code: String, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }

    /// `pointer: detail`.
    public var description: String { "\(pointer.tokens.isEmpty ? "(root)" : pointer.description): \(detail)" }
}

/// All faults of a decoded document, in its order.
public struct JSONFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults; at least one, at most ``JSONFaultCollector/limit``.
    public let faults: [JSONFault]

    /// Faults; at least one.
    public init(_ faults: [JSONFault]) { self.faults = faults }

    /// One fault per line.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// An error that says what is wrong with a value, with a stable code and a text. The errors of domain types conform to
/// it, so that a reader can report them with their place in the document.
public protocol JSONFaultReason: Error {
    /// What is wrong; stable, for programs.
    var code: String { get }
    /// What is wrong, for people.
    var detail: String { get }
}

/// Collects the faults that the readers of one document find.
public final class JSONFaultCollector {
    /// How many faults are kept, at most; a hostile document could have one per byte.
    public static let limit = 200

    /// The faults so far.
    public private(set) var faults: [JSONFault] = []

    /// A collector without faults.
    public init() {}

    /// Whether the limit is reached, so that further faults would not be kept.
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

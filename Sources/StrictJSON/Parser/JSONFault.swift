/// One thing that is wrong with a decoded document, and where.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: a pointer into the document.
    public let pointer: JSONPointer
    /// What is wrong; stable, for programs: `required`, `wrong_type`, `unknown_key`, `not_nullable`, `too_long`,
    /// `too_short`, `too_many`, `out_of_range`, `invalid_…`, or a code of the domain.
    public let code: String
    /// What is wrong, in a sentence for people.
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

/// All that is wrong with a decoded document, in its order.
public struct JSONFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults; at least one, at most ``JSONFaultCollector/limit``.
    public let faults: [JSONFault]

    /// Faults.
    public init(_ faults: [JSONFault]) { self.faults = faults }

    /// One fault a line.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// An error that can say what is wrong with a value: a stable code and a sentence. Errors of domain types conform, so
/// that a reader can place them in the document.
public protocol JSONFaultReason: Error {
    /// What is wrong; stable, for programs.
    var code: String { get }
    /// What is wrong, in a sentence for people.
    var detail: String { get }
}

/// Where the readers of one document put what they find wrong.
public final class JSONFaultCollector {
    /// So many faults are kept; a hostile document could otherwise have one per byte.
    public static let limit = 200

    /// The faults so far.
    public private(set) var faults: [JSONFault] = []

    /// A collector without faults.
    public init() {}

    /// Whether the limit is reached, so that looking for more is of no use.
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

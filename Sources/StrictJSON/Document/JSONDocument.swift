/// A parsed JSON text (RFC 8259) that knows where each of its values stands.
public struct JSONDocument: Sendable {
    /// The value of the whole text.
    public let root: JSONValue
    /// Members whose name had already been used in their object, in the order of the text. Empty unless the options
    /// tolerate them; their values are not in ``root``.
    public let duplicates: [JSONDuplicate]

    private let nodes: JSONNodes
    private let lines: LineTable

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - limits: What is accepted at most.
    ///   - options: What is tolerated beyond strict JSON; nothing, unless said.
    /// - Throws: The first thing that is wrong, with its place.
    public init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), options: JSONOptions = .strict
    ) throws(JSONError) {
        var parser = JSONParser(bytes: bytes, limits: limits, options: options, keepsNodes: true)
        root = try parser.value()
        let lines = LineTable(bytes)
        nodes = JSONNodes(parser.nodes)
        self.lines = lines
        duplicates = parser.duplicates.map {
            JSONDuplicate(pointer: JSONPointer(tokens: $0.tokens), position: lines.position(at: $0.offset))
        }
    }

    /// Where the value begins that a pointer leads to, or nil where it leads nowhere.
    public func position(of pointer: JSONPointer) -> JSONPosition? {
        node(at: pointer).map { lines.position(at: $0.offset) }
    }

    /// Where the name begins (at its quotation mark) of the member that a pointer leads to; nil where it leads
    /// nowhere or not to a member.
    public func keyPosition(of pointer: JSONPointer) -> JSONPosition? {
        guard let node = node(at: pointer), node.keyOffset >= 0 else { return nil }
        return lines.position(at: node.keyOffset)
    }

    private func node(at pointer: JSONPointer) -> JSONNode? {
        var value = root
        var index = 0
        for token in pointer.tokens {
            let place: Int?
            switch value {
            case .object(let object):
                place = object.place(of: token)
                value = place.map { object.members[$0].value } ?? .null
            case .array(let elements):
                place = JSONPointer.index(token).flatMap { elements.indices.contains($0) ? $0 : nil }
                value = place.map { elements[$0] } ?? .null
            default:
                place = nil
            }
            guard let child = place.flatMap({ nodes.child($0, of: index) }) else { return nil }
            index = child
        }
        return nodes[index]
    }
}

/// A member whose name had already been used in its object.
public struct JSONDuplicate: Sendable, Hashable {
    /// The pointer that the member would have; it leads to the first member of that name.
    public let pointer: JSONPointer
    /// Where the repeated name stands.
    public let position: JSONPosition
}

extension JSONValue {
    /// Parses a text of which nobody asks where its values stand: that takes less than a ``JSONDocument``, and options and
    /// limits are the same.
    ///
    /// - Throws: The first thing that is wrong, with its place.
    public init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), options: JSONOptions = .strict
    ) throws(JSONError) {
        var parser = JSONParser(bytes: bytes, limits: limits, options: options, keepsNodes: false)
        self = try parser.value()
    }
}

extension JSONParser {
    /// The value of the whole text.
    fileprivate mutating func value() throws(JSONError) -> JSONValue {
        do {
            return try parseText()
        } catch {
            throw JSONError(
                code: error.code, message: error.message, position: JSONPosition(of: error.offset, in: bytes))
        }
    }
}

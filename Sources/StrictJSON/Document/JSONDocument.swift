/// A parsed JSON text (RFC 8259) with the positions of its values.
public struct JSONDocument: Sendable {
    /// The value of the whole text.
    public let root: JSONValue
    /// The members whose name appears earlier in the same object, in the order of the text. Their values are not in
    /// ``root``. Empty unless the options allow repeated names.
    public let duplicates: [JSONDuplicate]

    private let nodes: JSONNodes
    private let lines: LineTable

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - limits: The limits of the text.
    ///   - options: The allowed extensions to strict JSON. The default is none.
    /// - Throws: The first error, with its position.
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

    /// The beginning of the value at a pointer, or `nil` if the value does not exist.
    public func position(of pointer: JSONPointer) -> JSONPosition? {
        node(at: pointer).map { lines.position(at: $0.offset) }
    }

    /// The beginning of the name (its quotation mark) of the member at a pointer, or `nil` if there is no such member.
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

/// A member whose name appears earlier in the same object.
public struct JSONDuplicate: Sendable, Hashable {
    /// The pointer of the member. It refers to the first member with that name.
    public let pointer: JSONPointer
    /// The position of the repeated name.
    public let position: JSONPosition
}

extension JSONValue {
    /// Parses a text without recording positions. This is cheaper than a ``JSONDocument``. The limits and options are
    /// the same.
    ///
    /// - Throws: The first error, with its position.
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

/// The members of a JSON object in order, with unique names. Names are compared by their UTF-8 bytes.
///
/// Equality compares members in order. To ignore the order, compare the ``sorted()`` objects.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Sendable {
        /// The name, unescaped.
        public let name: String
        /// The member's value.
        public var value: JSONValue
    }

    /// The members in order.
    public private(set) var members: [Member] = []

    /// The index of each name in ``members``. Empty for objects with few members, because a linear search is faster for
    /// them.
    private var places: [NameBytes: Int] = [:]

    /// The maximum number of members for which a linear search is faster than hashing.
    private static let searchLimit = 12

    /// Creates an object without members.
    public init() {}

    /// Creates an object from members. If a name appears twice, the last value is used, at the place of the first.
    public init(_ members: [(String, JSONValue)]) {
        for (name, value) in members { self[name] = value }
    }

    /// The names in order.
    public var names: [String] { members.map(\.name) }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether the object has no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value for a name. Setting a value replaces the existing value in place, or adds a member at the end. Setting
    /// `nil` removes the member.
    public subscript(name: String) -> JSONValue? {
        get { place(of: name).map { members[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?): add(name, value)
            case (let place?, nil): remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// Adds a member unless the name already exists. Returns whether it was added.
    public mutating func insert(_ name: String, _ value: JSONValue) -> Bool {
        guard place(of: name) == nil else { return false }
        add(name, value)
        return true
    }

    /// The index of a name among the members, or `nil` if it does not exist.
    public func place(of name: String) -> Int? {
        if members.count <= Self.searchLimit {
            members.firstIndex { $0.name.hasSameBytes(as: name) }
        } else {
            places[NameBytes(name: name)]
        }
    }

    /// The same members in the order of their names' UTF-8 bytes, at every depth.
    public func sorted() -> JSONObject {
        var result = JSONObject()
        for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            result.add(member.name, member.value.sorted())
        }
        return result
    }

    private mutating func add(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
        if members.count > Self.searchLimit + 1 {
            places[NameBytes(name: name)] = members.count - 1
        } else if members.count == Self.searchLimit + 1 {
            reindex()
        }
    }

    private mutating func remove(at place: Int) {
        members.remove(at: place)
        reindex()
    }

    private mutating func reindex() {
        places.removeAll()
        guard members.count > Self.searchLimit else { return }
        for (place, member) in members.enumerated() { places[NameBytes(name: member.name)] = place }
    }
}

extension JSONObject: Hashable {
    /// Whether both are equal, byte for byte.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count
            && zip(left.members, right.members).allSatisfy {
                $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value
            }
    }

    /// Hashes the values that equality compares.
    public func hash(into hasher: inout Hasher) {
        for member in members {
            hasher.combine(bytesOf: member.name)
            hasher.combine(member.value)
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object with the members in the written order. If a name appears twice, the last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONValue {
    /// The same value with the members of every object in the order of their names' UTF-8 bytes.
    public func sorted() -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.sorted() })
        case .object(let object): .object(object.sorted())
        default: self
        }
    }
}

/// A name as a dictionary key, compared by its bytes.
struct NameBytes: Hashable {
    let name: String

    static func == (left: NameBytes, right: NameBytes) -> Bool { left.name.hasSameBytes(as: right.name) }

    func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: name) }
}

/// Reads an object strictly, field by field, and collects everything that is wrong with it.
///
/// ```swift
/// let app = try JSONObjectReader.decode(body) { reader -> NewApp? in
///     let appID = reader.required("appID", .text(as: AppID.init))
///     let name = reader.required("name", .text(min: 1, max: 200))
///     let storeID = reader.optional("appStoreID", .int(in: 1...Int.max))
///     guard let appID, let name else { return nil }
///     return NewApp(appID: appID, name: name, storeID: storeID)
/// }
/// ```
///
/// A reader returns nil for a field that is absent or faulty and remembers the fault; ``decode(_:at:_:)`` throws them
/// all together. Keys that nobody asked for are faults too.
public final class JSONObjectReader {
    /// The object.
    public let object: JSONObject
    /// Where the object stands in its document.
    public let pointer: JSONPointer
    /// Where faults go.
    public let faults: JSONFaultCollector

    private var known: [String] = []

    /// A reader of an object that stands at `pointer`.
    public init(_ object: JSONObject, at pointer: JSONPointer, faults: JSONFaultCollector) {
        self.object = object
        self.pointer = pointer
        self.faults = faults
    }

    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - value: The document; anything but an object is a fault.
    ///   - pointer: Where it stands, if it is part of another.
    ///   - body: Reads the fields; nil only if a field was faulty.
    /// - Throws: All faults at once.
    public static func decode<Value>(
        _ value: JSONValue, at pointer: JSONPointer = JSONPointer(), _ body: @escaping (JSONObjectReader) -> Value?
    ) throws(JSONFaults) -> Value {
        try JSONShape.object(body).decode(value, at: pointer)
    }

    /// A field that must be there and must not be null.
    public func required<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key) else {
            faults.add(pointer.appending(key), "required", "\"\(key)\" is required")
            return nil
        }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// A field that may be absent or null; both give nil.
    public func optional<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key), !value.isNull else { return nil }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// A field that may be absent, with the value it then has. Null is a fault.
    public func optional<Value>(_ key: String, _ shape: JSONShape<Value>, default fallback: Value) -> Value {
        guard let value = value(key) else { return fallback }
        return shape.read(value, pointer.appending(key), faults) ?? fallback
    }

    /// A field of a partial update: absent keeps, null clears, a value sets. A faulty value counts as ``Change/keep``.
    public func change<Value>(_ key: String, _ shape: JSONShape<Value>) -> Change<Value> {
        guard let value = value(key) else { return .keep }
        if value.isNull { return .clear }
        return shape.read(value, pointer.appending(key), faults).map { .set($0) } ?? .keep
    }

    /// A field of a partial update that cannot be cleared: nil keeps it, null is a fault.
    public func replacement<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key) else { return nil }
        if value.isNull {
            faults.add(pointer.appending(key), "not_nullable", "\"\(key)\" can be changed, but not cleared")
            return nil
        }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// Whether the key is there, with whatever value. The key counts as known.
    public func has(_ key: String) -> Bool { value(key) != nil }

    /// The raw value of a key, null too. The key counts as known.
    public func value(_ key: String) -> JSONValue? {
        known.append(key)
        return object[key]
    }

    /// Adds a fault at a key of this object, or with nil at the object itself.
    public func fault(_ key: String?, _ code: String, _ detail: String) {
        faults.add(key.map(pointer.appending) ?? pointer, code, detail)
    }

    /// Reports the keys that nobody asked for, each with the known key that it most resembles.
    public func finish() {
        for name in object.names where !known.contains(where: { $0.hasSameBytes(as: name) }) {
            if faults.isFull { return }
            let hint = NearestName.of(name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
            faults.add(pointer.appending(name), "unknown_key", "\"\(name)\" is not a key here\(hint)")
        }
    }
}

extension JSONShape {
    /// Reads a whole document of this shape.
    ///
    /// - Throws: All faults at once.
    public func decode(_ value: JSONValue, at pointer: JSONPointer = JSONPointer()) throws(JSONFaults) -> Value {
        let faults = JSONFaultCollector()
        let result = read(value, pointer, faults)
        try faults.throwIfAny()
        guard let result else {
            throw JSONFaults([JSONFault(pointer: pointer, code: "invalid_value", detail: "is not acceptable")])
        }
        return result
    }
}

/// Reads an object strictly, field by field, and collects all its faults.
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
/// A reader returns nil for a field that is absent or faulty and records the fault. ``decode(_:at:_:)`` throws all faults
/// together. Unknown keys are faults too.
public final class JSONObjectReader {
    /// The object.
    public let object: JSONObject
    /// The object's place in the document.
    public let pointer: JSONPointer
    /// The collector of the faults.
    public let faults: JSONFaultCollector

    private var known: [String] = []

    /// A reader of an object at `pointer`.
    public init(_ object: JSONObject, at pointer: JSONPointer, faults: JSONFaultCollector) {
        self.object = object
        self.pointer = pointer
        self.faults = faults
    }

    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - value: The document; any value other than an object is a fault.
    ///   - pointer: Its place, if it is part of another document.
    ///   - body: Reads the fields. Returns nil only if a field was faulty.
    /// - Throws: All faults together.
    public static func decode<Value>(
        _ value: JSONValue, at pointer: JSONPointer = JSONPointer(), _ body: @escaping (JSONObjectReader) -> Value?
    ) throws(JSONFaults) -> Value {
        try JSONShape.object(body).decode(value, at: pointer)
    }

    /// A required field that cannot be null.
    public func required<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key) else {
            faults.add(pointer.appending(key), "required", "\"\(key)\" is required")
            return nil
        }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// An optional field that can also be null; both give nil.
    public func optional<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key), !value.isNull else { return nil }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// An optional field with a default value. Null is a fault.
    public func optional<Value>(_ key: String, _ shape: JSONShape<Value>, default fallback: Value) -> Value {
        guard let value = value(key) else { return fallback }
        return shape.read(value, pointer.appending(key), faults) ?? fallback
    }

    /// A field of a partial update: an absent key keeps it, null clears it, a value sets it. A faulty value counts as
    /// ``Change/keep``.
    public func change<Value>(_ key: String, _ shape: JSONShape<Value>) -> Change<Value> {
        guard let value = value(key) else { return .keep }
        if value.isNull { return .clear }
        return shape.read(value, pointer.appending(key), faults).map { .set($0) } ?? .keep
    }

    /// A field of a partial update that cannot be cleared: an absent key gives nil and keeps it, null is a fault.
    public func replacement<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key) else { return nil }
        if value.isNull {
            faults.add(pointer.appending(key), "not_nullable", "\"\(key)\" can be changed, but not cleared")
            return nil
        }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// Whether the key exists, with any value. The key counts as known.
    public func has(_ key: String) -> Bool { value(key) != nil }

    /// The raw value of a key, which can be null. The key counts as known.
    public func value(_ key: String) -> JSONValue? {
        known.append(key)
        return object[key]
    }

    /// Adds a fault at a key of this object, or at the object itself if the key is nil.
    public func fault(_ key: String?, _ code: String, _ detail: String) {
        faults.add(key.map(pointer.appending) ?? pointer, code, detail)
    }

    /// Reports unknown keys, each with the most similar known key.
    public func finish() {
        for name in object.names where !known.contains(where: { $0.hasSameBytes(as: name) }) {
            if faults.isFull { return }
            let hint = NearestName.of(name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
            faults.add(pointer.appending(name), "unknown_key", "\"\(name)\" is not a known key\(hint)")
        }
    }
}

extension JSONShape {
    /// Reads a whole document of this shape.
    ///
    /// - Throws: All faults together.
    public func decode(_ value: JSONValue, at pointer: JSONPointer = JSONPointer()) throws(JSONFaults) -> Value {
        let faults = JSONFaultCollector()
        let result = read(value, pointer, faults)
        try faults.throwIfAny()
        guard let result else {
            throw JSONFaults([JSONFault(pointer: pointer, code: "invalid_value", detail: "is not valid")])
        }
        return result
    }
}

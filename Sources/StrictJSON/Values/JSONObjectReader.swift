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
/// For a field that is absent or invalid, a reader returns `nil` and records the fault. ``decode(_:at:_:)`` throws all
/// faults together. Unknown keys are faults too.
public final class JSONObjectReader {
    /// The object.
    public let object: JSONObject
    /// The object's place in the document.
    public let pointer: JSONPointer
    /// The collector of the faults.
    public let faults: JSONFaultCollector

    private var known: [String] = []

    /// Creates a reader for an object at `pointer`.
    public init(_ object: JSONObject, at pointer: JSONPointer, faults: JSONFaultCollector) {
        self.object = object
        self.pointer = pointer
        self.faults = faults
    }

    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - value: The document. Any value other than an object is a fault.
    ///   - pointer: The document's place, if it is part of another document.
    ///   - body: Reads the fields. It may return `nil` only if a field has a fault.
    /// - Throws: ``JSONFaults`` with all faults.
    public static func decode<Value>(
        _ value: JSONValue, at pointer: JSONPointer = JSONPointer(), _ body: @escaping (JSONObjectReader) -> Value?
    ) throws(JSONFaults) -> Value {
        try JSONShape.object(body).decode(value, at: pointer)
    }

    /// Reads a required field that cannot be null.
    public func required<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key) else {
            faults.add(pointer.appending(key), "required", "\"\(key)\" is required")
            return nil
        }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// Reads an optional field that can be null. Returns `nil` if it is absent or null.
    public func optional<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key), !value.isNull else { return nil }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// Reads an optional field with a default value. Null is a fault.
    public func optional<Value>(_ key: String, _ shape: JSONShape<Value>, default fallback: Value) -> Value {
        guard let value = value(key) else { return fallback }
        return shape.read(value, pointer.appending(key), faults) ?? fallback
    }

    /// Reads a field of a partial update: an absent key keeps it, null clears it, and a value sets it. An invalid value
    /// counts as ``Change/keep``.
    public func change<Value>(_ key: String, _ shape: JSONShape<Value>) -> Change<Value> {
        guard let value = value(key) else { return .keep }
        if value.isNull { return .clear }
        return shape.read(value, pointer.appending(key), faults).map { .set($0) } ?? .keep
    }

    /// Reads a field of a partial update that cannot be cleared. Returns `nil` for an absent key, which keeps the
    /// field. Null is a fault.
    public func replacement<Value>(_ key: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = value(key) else { return nil }
        if value.isNull {
            faults.add(pointer.appending(key), "not_nullable", "\"\(key)\" can be changed, but not cleared")
            return nil
        }
        return shape.read(value, pointer.appending(key), faults)
    }

    /// Whether the key exists, with any value. Marks the key as known, so that ``finish()`` does not report it.
    public func has(_ key: String) -> Bool { value(key) != nil }

    /// The raw value of a key, which can be null. Marks the key as known, so that ``finish()`` does not report it.
    public func value(_ key: String) -> JSONValue? {
        known.append(key)
        return object[key]
    }

    /// Adds a fault at a key of this object, or at the object itself if the key is `nil`.
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
    /// - Throws: ``JSONFaults`` with all faults.
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

/// The required shape of a field, and the Swift value for it. Shapes can be combined. With a ``JSONObjectReader``,
/// reading a field takes one line:
///
/// ```swift
/// let name = reader.required("name", .text(max: 200))
/// let rank = reader.optional("rank", .int(in: 1...10))
/// ```
public struct JSONShape<Value> {
    /// Reads a value. If it is not valid, adds the faults to the collector and returns `nil`.
    let read: (JSONValue, JSONPointer, JSONFaultCollector) -> Value?

    /// Creates a custom shape. The closure may return `nil` only after adding a fault.
    public init(_ read: @escaping (JSONValue, JSONPointer, JSONFaultCollector) -> Value?) { self.read = read }

    /// Reads the value at `pointer`. If it is not valid, adds the faults to the collector and returns `nil`.
    public func read(_ value: JSONValue, at pointer: JSONPointer, _ faults: JSONFaultCollector) -> Value? {
        read(value, pointer, faults)
    }

    /// The same shape with its value transformed.
    public func map<Result>(_ transform: @escaping (Value) -> Result) -> JSONShape<Result> {
        JSONShape<Result> { value, pointer, faults in read(value, pointer, faults).map(transform) }
    }

    /// The same shape with its value checked or converted to a domain type. The code and detail of an error become the
    /// fault.
    public func then<Result, Reason: JSONFaultReason>(
        _ transform: @escaping (Value) throws(Reason) -> Result
    ) -> JSONShape<Result> {
        JSONShape<Result> { value, pointer, faults in
            guard let first = read(value, pointer, faults) else { return nil }
            do throws(Reason) {
                return try transform(first)
            } catch {
                faults.add(pointer, error.code, error.detail)
                return nil
            }
        }
    }

    static func wrongType(
        _ wanted: String, _ value: JSONValue, _ pointer: JSONPointer, _ faults: JSONFaultCollector
    ) -> Value? {
        faults.add(pointer, "wrong_type", "must be \(wanted), not \(value.typeName)")
        return nil
    }
}

extension JSONShape where Value == JSONObject {
    /// An object with any members.
    public static var anyObject: JSONShape {
        JSONShape { value, pointer, faults in value.object ?? wrongType("an object", value, pointer, faults) }
    }
}

extension JSONShape where Value == Bool {
    /// `true` or `false`.
    public static var bool: JSONShape {
        JSONShape { value, pointer, faults in value.bool ?? wrongType("true or false", value, pointer, faults) }
    }
}

extension JSONShape where Value == Int {
    /// A whole number within a range.
    public static func int(in range: ClosedRange<Int> = Int.min...Int.max) -> JSONShape {
        JSONShape { value, pointer, faults in
            guard let number = value.number else { return wrongType("a whole number", value, pointer, faults) }
            guard let int = number.int else {
                let whole = number.double.map { $0 == $0.rounded() } ?? true
                faults.add(
                    pointer, whole ? "out_of_range" : "wrong_type",
                    whole ? "must be between \(range.lowerBound) and \(range.upperBound)" : "must be a whole number")
                return nil
            }
            guard range.contains(int) else {
                faults.add(
                    pointer, "out_of_range", "must be between \(range.lowerBound) and \(range.upperBound)")
                return nil
            }
            return int
        }
    }
}

extension JSONShape where Value == String {
    /// A string of `min` to `max` Unicode scalars.
    public static func text(min: Int = 0, max: Int = 4_096) -> JSONShape {
        JSONShape { value, pointer, faults in
            guard let text = value.string else { return wrongType("a string", value, pointer, faults) }
            let length = text.unicodeScalars.count
            if length > max {
                faults.add(pointer, "too_long", "has \(length) characters; at most \(max) are allowed")
                return nil
            }
            if length < min {
                faults.add(
                    pointer, "too_short", min == 1 ? "must not be empty" : "must have at least \(min) characters")
                return nil
            }
            return text
        }
    }
}

extension JSONShape {
    /// A string that is converted to a domain type. The code and detail of an error become the fault.
    public static func text<Reason: JSONFaultReason>(
        as parse: @escaping (String) throws(Reason) -> Value
    ) -> JSONShape {
        JSONShape<String>.text(max: 1 << 20).then(parse)
    }

    /// A string that must be one of the raw values of an enumeration.
    public static func choice(of type: Value.Type = Value.self) -> JSONShape
    where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
        JSONShape { value, pointer, faults in
            guard let text = value.string else { return wrongType("a string", value, pointer, faults) }
            if let choice = Value.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) { return choice }
            let choices = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            faults.add(pointer, "invalid_choice", "must be one of \(choices)")
            return nil
        }
    }

    /// An array whose elements all have the same shape. All elements are read, so that all faults are reported.
    public static func array<Element>(
        of element: JSONShape<Element>, max: Int = 10_000
    ) -> JSONShape where Value == [Element] {
        JSONShape { value, pointer, faults in
            guard let elements = value.array else { return wrongType("an array", value, pointer, faults) }
            if elements.count > max {
                faults.add(pointer, "too_many", "has \(elements.count) elements; at most \(max) are allowed")
                return nil
            }
            let values = elements.enumerated().compactMap { element.read($1, pointer.appending($0), faults) }
            return values.count == elements.count ? values : nil
        }
    }

    /// An object that the closure reads field by field. The closure may return `nil` only if a field has a fault.
    /// Unread keys are faults.
    public static func object(_ body: @escaping (JSONObjectReader) -> Value?) -> JSONShape {
        JSONShape { value, pointer, faults in
            guard let object = value.object else { return wrongType("an object", value, pointer, faults) }
            let reader = JSONObjectReader(object, at: pointer, faults: faults)
            let result = body(reader)
            reader.finish()
            return result
        }
    }
}

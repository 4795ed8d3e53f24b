/// A JSON number. It is kept as written, so it is never rounded.
///
/// Two numbers are equal if their texts are the same: `1` and `1.0` are different, but have the same ``int``.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number as written, in the grammar of RFC 8259, section 6.
    public let text: String

    /// Creates a whole number.
    public init(_ value: Int) { text = String(value) }

    /// Creates a number from its text. Returns `nil` if the text does not match RFC 8259's grammar.
    public init?(text: String) {
        guard JSONNumberGrammar.length(in: Array(text.utf8), from: 0) == text.utf8.count, !text.isEmpty else {
            return nil
        }
        self.text = text
    }

    /// Creates a number from text that the parser has already checked.
    init(checked text: String) { self.text = text }

    /// The text.
    public var description: String { text }

    /// The nearest double, or `nil` if it would be infinite.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The value as an `Int`, or `nil` if it has a fraction or does not fit. `1.0` and `1e2` are whole numbers, as in
    /// JSON Schema.
    public var int: Int? {
        if let value = Int(text) { return value }
        let negative = text.hasPrefix("-")
        var digits: [Int] = []
        var pointShift = 0
        var afterPoint = false
        var rest = Substring(negative ? text.dropFirst() : text[...])
        while let character = rest.first {
            if character == "." {
                afterPoint = true
            } else if let digit = character.wholeNumberValue {
                digits.append(digit)
                if afterPoint { pointShift -= 1 }
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        if !rest.isEmpty {
            guard let exponent = Int(rest.dropFirst()), (-999...999).contains(exponent) else { return nil }
            pointShift += exponent
        }
        while pointShift < 0, digits.last == 0 {
            digits.removeLast()
            pointShift += 1
        }
        if digits.allSatisfy({ $0 == 0 }) { return 0 }
        guard pointShift >= 0 else { return nil }
        return Self.whole(digits + Array(repeating: 0, count: pointShift), negative: negative)
    }

    private static func whole(_ digits: [Int], negative: Bool) -> Int? {
        var value = 0
        for digit in digits {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowAgain) = tens.addingReportingOverflow(negative ? -digit : digit)
            if overflow || overflowAgain { return nil }
            value = sum
        }
        return value
    }
}

/// RFC 8259, section 6: `number = [ minus ] int [ frac ] [ exp ]`.
enum JSONNumberGrammar {
    /// The length in bytes of the number that begins at `start`, or `nil` if there is no complete number.
    static func length(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        func byte() -> UInt8? { index < bytes.count ? bytes[index] : nil }
        func digits() -> Int {
            let first = index
            while let digit = byte(), isDigit(digit) { index += 1 }
            return index - first
        }
        if byte() == UInt8(ascii: "-") { index += 1 }
        // "Leading zeros are not allowed."
        if byte() == UInt8(ascii: "0") {
            index += 1
            if let next = byte(), isDigit(next) { return nil }
        } else if digits() == 0 {
            return nil
        }
        if byte() == UInt8(ascii: ".") {
            index += 1
            if digits() == 0 { return nil }
        }
        if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
            index += 1
            if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { index += 1 }
            if digits() == 0 { return nil }
        }
        return index - start
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}

/// The content codings that a request's `Accept-Encoding` headers allow (RFC 9110 section 12.5.3). Waymark supports
/// gzip, Brotli and no encoding.
package struct AcceptedCodings {
    /// The weights in thousandths. `nil` if the headers do not list the coding.
    private var gzip: Int?
    private var brotli: Int?
    private var identity: Int?
    private var others: Int?

    /// Creates a value without headers. It allows only no encoding, because a client that does not send the header may
    /// not support any coding.
    package init() {}

    /// Returns true if this form should be sent: it is allowed, and the client does not prefer the unencoded file.
    package func prefers(_ coding: Coding) -> Bool { allows(coding) && weight(of: coding) >= (identity ?? 0) }

    /// Returns true if the client can read this form.
    package func allows(_ coding: Coding) -> Bool { weight(of: coding) > 0 }

    /// The codings to send, the best one first. Among equal weights, Brotli is first, because it is smaller.
    package var preferred: [Coding] {
        Coding.allCases.filter(prefers).enumerated()
            .sorted { (-weight(of: $0.element), $0.offset) < (-weight(of: $1.element), $1.offset) }.map(\.element)
    }

    private func weight(of coding: Coding) -> Int {
        switch coding {
        case .gzip: gzip ?? others ?? 0
        case .brotli: brotli ?? others ?? 0
        }
    }

    /// Adds the value of one header. Ignores elements with invalid syntax.
    package mutating func add(_ value: String.UTF8View) {
        for element in value.split(separator: UInt8(ascii: ",")) { add(element: element) }
    }

    private mutating func add(element: Substring.UTF8View) {
        let end = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
        guard let weight = Self.weight(element[end...]) else { return }
        let name = Self.trimmed(element[..<end])
        // RFC 9110 section 8.4.1.3: x-gzip is equivalent.
        if Self.equals(name, "gzip") || Self.equals(name, "x-gzip") {
            gzip = max(gzip ?? 0, weight)
        } else if Self.equals(name, "br") {
            brotli = weight
        } else if Self.equals(name, "identity") {
            identity = weight
        } else if Self.equals(name, "*") {
            others = weight
        }
    }

    /// Reads the weight in `;q=0.5`, in thousandths (RFC 9110 section 12.4.2). Returns 1,000 for an empty parameter,
    /// and `nil` for an invalid weight.
    private static func weight(_ parameter: Substring.UTF8View) -> Int? {
        if parameter.isEmpty { return 1000 }
        let text = trimmed(parameter.dropFirst())
        guard text.count >= 3, equals(text.prefix(2), "q=") else { return nil }
        let digits = text.dropFirst(2)
        guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), digits.count <= 5
        else { return nil }
        let start = whole == UInt8(ascii: "1") ? 1000 : 0
        if digits.count == 1 { return start }
        guard digits.dropFirst().first == UInt8(ascii: ".") else { return nil }
        var fraction = 0
        var unit = 100
        for digit in digits.dropFirst(2) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            fraction += Int(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return start + fraction <= 1000 ? start + fraction : nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var rest = text.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    private static func equals(_ text: Substring.UTF8View, _ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { expected in
            text.elementsEqual(expected) { byte, letter in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == letter : byte == letter
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

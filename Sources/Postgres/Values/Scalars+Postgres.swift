extension String: PostgresEncodable, PostgresDecodable {
    /// `text`
    public static var postgresType: PostgresType { .text }

    /// The string itself. A string with a NUL is rejected.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding { .text(self) }

    /// Reads the text of a column of any type.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension Bool: PostgresEncodable, PostgresDecodable {
    /// `boolean`
    public static var postgresType: PostgresType { .bool }

    /// `t` or `f`
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding { .text(self ? "t" : "f") }

    /// Reads `t` or `f`.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 1 else { return nil }
        switch bytes.first {
        case UInt8(ascii: "t"): self = true
        case UInt8(ascii: "f"): self = false
        default: return nil
        }
    }
}

extension Int: PostgresEncodable, PostgresDecodable {
    /// `bigint`
    public static var postgresType: PostgresType { .int8 }

    /// Decimal digits.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding { .text(String(self)) }

    /// Reads decimal digits.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard let value = Int64(postgresText: bytes) else { return nil }
        self.init(exactly: value)
    }
}

extension Int64: PostgresEncodable, PostgresDecodable {
    /// `bigint`
    public static var postgresType: PostgresType { .int8 }

    /// Decimal digits.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding { .text(String(self)) }

    /// Reads decimal digits. Returns `nil` if the number is out of range.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        var digits = bytes[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        guard !digits.isEmpty else { return nil }
        // Negates while it counts, because the negative range is larger by one.
        var value: Int64 = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = tens.subtractingReportingOverflow(Int64(digit - 48))
            guard !overflow, !overflow2 else { return nil }
            value = sum
        }
        guard !isNegative else {
            self = value
            return
        }
        let (positive, overflow) = (0 as Int64).subtractingReportingOverflow(value)
        guard !overflow else { return nil }
        self = positive
    }
}

extension Double: PostgresEncodable, PostgresDecodable {
    /// `double precision`
    public static var postgresType: PostgresType { .float8 }

    /// The shortest text that parses to the same number.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding {
        if isNaN { return .text("NaN") }
        if isInfinite { return .text(self < 0 ? "-Infinity" : "Infinity") }
        return .text(description)
    }

    /// Reads PostgreSQL's shortest text form.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}

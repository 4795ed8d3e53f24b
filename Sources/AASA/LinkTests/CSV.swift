import StrictJSON

/// Comma-separated values (RFC 4180): lines of fields, optionally in quotation marks.
enum CSV {
    /// A line of fields.
    struct Record: Hashable, Sendable {
        /// The line number of its beginning, from 1. Line ends inside quotation marks count.
        let line: Int
        /// The fields without quotation marks.
        let fields: [[UInt8]]
    }

    /// The reason why a text is not valid CSV.
    struct Malformed: Error, Hashable {
        let line: Int
        let detail: String
    }

    /// Reads a text. Skips empty lines.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - limit: The maximum number of records. The text after them is not read.
    static func records(_ bytes: [UInt8], limit: Int) throws(Malformed) -> [Record] {
        var reader = CSVReader(bytes)
        var records: [Record] = []
        while records.count < limit, let record = try reader.next() {
            try checkMarks(record)
            if record.fields != [[]] { records.append(record) }
        }
        return records
    }

    /// Checks that no field has too many combining marks in a row. The limit is the same as for JSON: the time for
    /// comparing text grows with the square of their number.
    private static func checkMarks(_ record: Record) throws(Malformed) {
        let limit = JSONLimits().marksInRow
        guard record.fields.contains(where: { CombiningMarks.exceed(limit, in: String(decoding: $0, as: UTF8.self)) })
        else { return }
        throw Malformed(line: record.line, detail: "a row of more than \(limit) combining characters")
    }

    /// Writes records. "Each record is located on a separate line, delimited by a line break (CRLF)" (section 2.1).
    /// Fields with commas, quotation marks or line ends are written in quotation marks (sections 2.6, 2.7).
    static func bytes(_ records: [[String]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            for (place, field) in record.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += written(field)
            }
            bytes += [0x0D, 0x0A]
        }
        return bytes
    }

    private static func written(_ field: String) -> [UInt8] {
        let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0D, 0x0A]
        guard field.utf8.contains(where: special.contains) else { return Array(field.utf8) }
        let doubled = field.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
        return [UInt8(ascii: "\"")] + doubled + [UInt8(ascii: "\"")]
    }
}

/// Reads records one at a time.
private struct CSVReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func next() throws(CSV.Malformed) -> CSV.Record? {
        guard byte != nil else { return nil }
        let start = line
        var fields: [[UInt8]] = []
        while true {
            fields.append(byte == UInt8(ascii: "\"") ? try quoted() : try plain())
            guard byte == UInt8(ascii: ",") else { break }
            offset += 1
        }
        takeLineEnd()
        return CSV.Record(line: start, fields: fields)
    }

    private mutating func plain() throws(CSV.Malformed) -> [UInt8] {
        let start = offset
        while let byte, byte != UInt8(ascii: ","), byte != 0x0A, byte != 0x0D {
            if byte == UInt8(ascii: "\"") {
                throw CSV.Malformed(
                    line: line, detail: "a quotation mark inside an unquoted field")
            }
            offset += 1
        }
        return Array(bytes[start..<offset])
    }

    private mutating func quoted() throws(CSV.Malformed) -> [UInt8] {
        let start = line
        var field: [UInt8] = []
        offset += 1
        while let byte {
            offset += 1
            if byte == UInt8(ascii: "\"") {
                guard self.byte == UInt8(ascii: "\"") else { return try ended(field) }
                offset += 1
            }
            if byte == 0x0A { line += 1 }
            field.append(byte)
        }
        throw CSV.Malformed(line: start, detail: "a quotation mark that is never closed")
    }

    /// After the closing quotation mark, only a comma or the end of the line is allowed, not `"aaa" ,b`.
    private func ended(_ field: [UInt8]) throws(CSV.Malformed) -> [UInt8] {
        switch byte {
        case nil, UInt8(ascii: ","), 0x0A, 0x0D: return field
        default: throw CSV.Malformed(line: line, detail: "text after a closing quotation mark")
        }
    }

    /// Reads CR LF, LF or CR. Some editors write LF or CR.
    private mutating func takeLineEnd() {
        guard byte != nil else { return }
        if byte == 0x0D { offset += 1 }
        if byte == 0x0A { offset += 1 }
        line += 1
    }
}

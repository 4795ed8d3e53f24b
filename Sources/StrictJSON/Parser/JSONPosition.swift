/// A position in a JSON text.
public struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1. Lines end with LF, CR LF or CR.
    public let line: Int
    /// The column, from 1. It is counted in Unicode scalars, like in most editors.
    public let column: Int
    /// The offset in bytes, from 0.
    public let offset: Int

    /// Creates a position.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// Computes the position of one offset in a text, without a table of all lines.
    init(of offset: Int, in bytes: [UInt8]) {
        var (line, start) = (1, 0)
        for index in 0..<min(offset, bytes.count) {
            // CR LF is one line end, after the LF.
            let isEnd = bytes[index] == 0x0A || (bytes[index] == 0x0D && bytes.dropFirst(index + 1).first != 0x0A)
            guard isEnd else { continue }
            line += 1
            start = index + 1
        }
        let scalars = bytes[start..<min(max(offset, start), bytes.count)].count { $0 & 0xC0 != 0x80 }
        self.init(line: line, column: scalars + 1, offset: offset)
    }

    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// Converts byte offsets of one text to lines and columns.
struct LineTable: Sendable {
    private let bytes: [UInt8]
    /// The offsets of the lines. They are 32-bit numbers to save memory, because a text can consist only of line ends.
    private let starts: [UInt32]
    private let isASCII: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts: [UInt32] = [0]
        starts.reserveCapacity(bytes.count { $0 == 0x0A || $0 == 0x0D } + 1)
        var all: UInt8 = 0
        var previous: UInt8 = 0
        for (index, byte) in bytes.enumerated() {
            all |= byte
            if previous == 0x0D && byte != 0x0A { starts.append(UInt32(index)) }
            if byte == 0x0A { starts.append(UInt32(index + 1)) }
            previous = byte
        }
        if previous == 0x0D { starts.append(UInt32(bytes.count)) }
        self.starts = starts
        isASCII = all < 0x80
    }

    func position(at offset: Int) -> JSONPosition {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= offset { low = middle } else { high = middle }
        }
        let start = Int(starts[low])
        let end = min(max(offset, start), bytes.count)
        // A UTF-8 continuation byte (10xxxxxx) belongs to the previous scalar.
        let scalars = isASCII ? end - start : bytes[start..<end].count { $0 & 0xC0 != 0x80 }
        return JSONPosition(line: low + 1, column: scalars + 1, offset: offset)
    }
}

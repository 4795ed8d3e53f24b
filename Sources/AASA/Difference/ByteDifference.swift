public import StrictJSON

/// The difference of two files in bytes and as text. For the text, both are formatted alike, with one line per value.
public struct ByteDifference: Hashable, Sendable {
    /// The bytes of a file, and the association that was read from them.
    public typealias File = (bytes: [UInt8], association: Association)

    /// The maximum number of bytes of ``unified``.
    public static let maximumSize = 65_536
    /// Lines shown before and after each change.
    private static let around = 3

    /// Bytes of the file before; 0 if there is none.
    public let before: Int
    /// Bytes of the file after.
    public let after: Int
    /// Whether they are the same, byte for byte.
    public let isEqual: Bool
    /// The changes of the text in the unified format of `diff -u`, without file names. Empty if both have the same content:
    /// then only white space, the order of keys or the escaping of characters may differ.
    public let unified: String
    /// Whether ``unified`` is cut, or less precise than possible, because the files are large.
    public let isTruncated: Bool

    /// Compares two files. A file without bytes does not exist.
    public init(from before: File, to after: File) {
        self.before = before.bytes.count
        self.after = after.bytes.count
        isEqual = before.bytes == after.bytes
        var alignment = Alignment()
        let steps = Self.steps(Self.lines(before), Self.lines(after), &alignment)
        var text: [UInt8] = []
        var isCut = false
        for line in Self.hunks(steps).flatMap({ Self.lines(of: $0, in: steps) }) {
            isCut = text.count + line.count + 1 > Self.maximumSize
            if isCut { break }
            text += line + [0x0A]
        }
        unified = String(decoding: text, as: UTF8.self)
        isTruncated = isCut || alignment.isCoarse
    }

    /// A line, and whether only the file before or the file after has it.
    private struct Step {
        enum Mark: UInt8 {
            case same = 0x20
            case added = 0x2B
            case removed = 0x2D
        }

        let mark: Mark
        let line: [UInt8]
        /// How many lines of each file come before it.
        let place: (before: Int, after: Int)
    }

    private static func lines(_ file: File) -> [[UInt8]] {
        file.bytes.isEmpty ? [] : file.association.bytes(.pretty).split(separator: 0x0A).map(Array.init)
    }

    private static func steps(_ before: [[UInt8]], _ after: [[UInt8]], _ alignment: inout Alignment) -> [Step] {
        let (left, right) = RuleComparison.ranks(before, after)
        let common = alignment.common(left, right) + [(left: before.count, right: after.count)]
        var steps: [Step] = []
        var (i, j) = (0, 0)
        for pair in common {
            for place in i..<pair.left {
                steps.append(Step(mark: .removed, line: before[place], place: (place, j)))
            }
            for place in j..<pair.right {
                steps.append(Step(mark: .added, line: after[place], place: (pair.left, place)))
            }
            if pair.left < before.count {
                steps.append(Step(mark: .same, line: before[pair.left], place: (pair.left, pair.right)))
            }
            (i, j) = (pair.left + 1, pair.right + 1)
        }
        return steps
    }

    /// The ranges of steps around changes. Ranges that touch are joined.
    private static func hunks(_ steps: [Step]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in steps.indices where steps[index].mark != .same {
            let range = max(0, index - around)..<min(steps.count, index + around + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    private static func lines(of hunk: Range<Int>, in steps: [Step]) -> [[UInt8]] {
        let place = steps[hunk.lowerBound].place
        let counts = (
            before: hunk.count { steps[$0].mark != .added }, after: hunk.count { steps[$0].mark != .removed }
        )
        // Lines count from 1. A side without lines is given by the line before it.
        let starts = (place.before + min(1, counts.before), place.after + min(1, counts.after))
        let head = "@@ -\(starts.0),\(counts.before) +\(starts.1),\(counts.after) @@"
        return [Array(head.utf8)] + hunk.map { [steps[$0].mark.rawValue] + steps[$0].line }
    }
}

extension Difference {
    /// The whole difference as JSON: ``json`` and `bytes`.
    public func json(bytes: ByteDifference) -> JSONValue {
        var object = json.object ?? JSONObject()
        object["bytes"] = bytes.json
        return .object(object)
    }
}

extension ByteDifference {
    /// The difference as JSON: `before`, `after`, `equal`, `unified`, `isTruncated`.
    public var json: JSONValue {
        [
            "before": .int(before), "after": .int(after), "equal": .bool(isEqual), "unified": .string(unified),
            "isTruncated": .bool(isTruncated),
        ]
    }

    /// A sentence with both sizes, and whether the bytes are the same.
    public var sentence: String {
        "\(before) bytes before, \(after) after; \(isEqual ? "the bytes are identical" : "the bytes differ")."
    }
}

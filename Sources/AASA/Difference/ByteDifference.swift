public import StrictJSON

/// The difference between two files in bytes and as text. For the text, both files are formatted in the same way, with
/// one value per line.
public struct ByteDifference: Hashable, Sendable {
    /// The bytes of a file, and its association.
    public typealias File = (bytes: [UInt8], association: Association)

    /// The maximum number of bytes of ``unified``.
    public static let maximumSize = 65_536
    /// The number of unchanged lines around each change.
    private static let around = 3

    /// The size of the old file in bytes, or 0 if it does not exist.
    public let before: Int
    /// The size of the new file in bytes.
    public let after: Int
    /// Whether the files are the same, byte for byte.
    public let isEqual: Bool
    /// The changes in the unified format of `diff -u`, without file names. Empty if both files have the same content.
    /// They can then still differ in white space, the order of keys, or escaped characters.
    public let unified: String
    /// Whether ``unified`` is cut, or less precise than possible, because the files are large.
    public let isTruncated: Bool

    /// Compares two files. A file without bytes is treated as missing.
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

    /// A line, and whether it is in the old file, the new file or both.
    private struct Step {
        enum Mark: UInt8 {
            case same = 0x20
            case added = 0x2B
            case removed = 0x2D
        }

        let mark: Mark
        let line: [UInt8]
        /// The number of lines before it in each file.
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

    /// The ranges of steps around changes. Adjacent ranges are merged.
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
        // Lines are counted from 1. If one file has no lines in the hunk, its start is the number of the line before.
        let starts = (place.before + min(1, counts.before), place.after + min(1, counts.after))
        let head = "@@ -\(starts.0),\(counts.before) +\(starts.1),\(counts.after) @@"
        return [Array(head.utf8)] + hunk.map { [steps[$0].mark.rawValue] + steps[$0].line }
    }
}

extension Difference {
    /// The whole difference as JSON: the same as ``json``, plus `bytes`.
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

    /// A sentence with both sizes. It also says whether the bytes are the same.
    public var sentence: String {
        "\(before) bytes before, \(after) after; \(isEqual ? "the bytes are identical" : "the bytes differ")."
    }
}

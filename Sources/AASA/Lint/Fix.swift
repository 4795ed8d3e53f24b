/// Edits to the checked text that fix a finding automatically.
public struct Fix: Hashable, Sendable {
    /// One change: the bytes from ``offset`` to `offset + length` of the text become ``text``.
    public struct Edit: Hashable, Sendable {
        /// Where, in bytes from 0, a byte order mark included.
        public let offset: Int
        /// How many bytes are replaced; 0 inserts.
        public let length: Int
        /// The new text in UTF-8; empty removes.
        public let text: String

        /// One change.
        public init(offset: Int, length: Int, text: String) {
            self.offset = offset
            self.length = length
            self.text = text
        }

        fileprivate var end: Int { offset + length }
    }

    /// What it does, for people: "Remove this rule".
    public let title: String
    /// Whether every URL has the same result as before on iOS 13 and later. A fix that does not keep the results does
    /// what was probably meant, so a person must confirm it.
    public let keepsOutcomes: Bool
    /// The changes, in the order of the text; none overlaps another.
    public let edits: [Edit]

    /// A fix.
    public init(title: String, keepsOutcomes: Bool, edits: [Edit]) {
        self.title = title
        self.keepsOutcomes = keepsOutcomes
        self.edits = edits
    }

    /// The text with the edits applied. Nil if an edit is out of range or overlaps another: then the fix is for another
    /// text.
    public func applied(to text: [UInt8]) -> [UInt8]? { Self.apply(edits, to: text) }

    /// The text with all fixes applied that do not touch an earlier one, and how many those are. Check the result
    /// again: it may have more fixes.
    public static func apply(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], applied: Int) {
        var edits: [Edit] = []
        var applied = 0
        var taken: [Range<Int>] = []
        for fix in fixes {
            // Edits at the same place, even insertions, would need an order. They wait for the next round.
            let ranges = fix.edits.map { $0.offset..<($0.end + 1) }
            guard !ranges.contains(where: { range in taken.contains { $0.overlaps(range) } }) else { continue }
            taken += ranges
            edits += fix.edits
            applied += 1
        }
        guard let result = apply(edits, to: text) else { return (text, 0) }
        return (result, applied)
    }

    private static func apply(_ edits: [Edit], to text: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var place = 0
        for edit in edits.sorted(by: { ($0.offset, $0.length) < ($1.offset, $1.length) }) {
            guard edit.offset >= place, edit.length >= 0, edit.offset <= text.count,
                edit.length <= text.count - edit.offset
            else { return nil }
            result += text[place..<edit.offset]
            result += edit.text.utf8
            place = edit.end
        }
        return result + text[place...]
    }
}

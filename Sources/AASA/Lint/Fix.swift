/// How a machine can mend a finding: changes to the text that was examined.
public struct Fix: Hashable, Sendable {
    /// One change: the bytes from ``offset`` to `offset + length` of the text become ``text``.
    public struct Edit: Hashable, Sendable {
        /// Where, in bytes from 0, a byte order mark included.
        public let offset: Int
        /// How many bytes go; 0 inserts.
        public let length: Int
        /// What comes in their place, in UTF-8; empty removes.
        public let text: String

        /// One change.
        public init(offset: Int, length: Int, text: String) {
            self.offset = offset
            self.length = length
            self.text = text
        }

        fileprivate var end: Int { offset + length }
    }

    /// What it does, in words: "Remove this rule".
    public let title: String
    /// Whether every URL comes out as before on iOS 13 and later. A fix that does not keep the outcomes does what was
    /// probably meant, so a person must want it.
    public let keepsOutcomes: Bool
    /// The changes, in the order of the text; none overlaps another.
    public let edits: [Edit]

    /// A fix.
    public init(title: String, keepsOutcomes: Bool, edits: [Edit]) {
        self.title = title
        self.keepsOutcomes = keepsOutcomes
        self.edits = edits
    }

    /// The text with the changes made. Nil if an edit lies outside of it or overlaps another: it belongs to another
    /// text then.
    public func applied(to text: [UInt8]) -> [UInt8]? { Self.apply(edits, to: text) }

    /// The text with as many fixes applied as do not touch each other, the first ones first, and how many those are.
    /// Examine the result again: it may have further fixes, or the same elsewhere.
    public static func apply(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], applied: Int) {
        var edits: [Edit] = []
        var applied = 0
        var taken: [Range<Int>] = []
        for fix in fixes {
            // Edits at one place, even insertions, would have to be ordered; they wait for the next time.
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

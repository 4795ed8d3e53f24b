/// Edits to the checked text that fix a finding automatically.
public struct Fix: Hashable, Sendable {
    /// A replacement of the bytes from ``offset`` to `offset + length` with ``text``.
    public struct Edit: Hashable, Sendable {
        /// The start of the replaced bytes, in bytes from 0. A byte order mark counts.
        public let offset: Int
        /// The number of replaced bytes. With 0, the edit inserts text.
        public let length: Int
        /// The new text in UTF-8. If empty, the edit deletes text.
        public let text: String

        /// Creates an edit.
        public init(offset: Int, length: Int, text: String) {
            self.offset = offset
            self.length = length
            self.text = text
        }

        fileprivate var end: Int { offset + length }
    }

    /// A description for people, such as "Remove this rule".
    public let title: String
    /// Whether every URL keeps its result on iOS 13 and later. If false, the fix follows the author's probable
    /// intention, and a person must confirm it.
    public let keepsOutcomes: Bool
    /// The edits, in the order of the text. They do not overlap.
    public let edits: [Edit]

    /// Creates a fix.
    public init(title: String, keepsOutcomes: Bool, edits: [Edit]) {
        self.title = title
        self.keepsOutcomes = keepsOutcomes
        self.edits = edits
    }

    /// Returns the text with the edits applied. Returns `nil` if an edit is outside the text, because the fix
    /// belongs to another text, or if two edits overlap.
    public func applied(to text: [UInt8]) -> [UInt8]? { Self.apply(edits, to: text) }

    /// Applies each fix that neither overlaps nor touches a fix before it, and returns the text and the number of applied
    /// fixes. Lint the result again, because it may have more findings to fix.
    public static func apply(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], applied: Int) {
        var edits: [Edit] = []
        var applied = 0
        var taken: [Range<Int>] = []
        for fix in fixes {
            // Edits that overlap or touch would need an order, so the later fix is skipped. The caller can lint the
            // result and apply it then.
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

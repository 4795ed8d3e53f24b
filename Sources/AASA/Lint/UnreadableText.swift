import StrictJSON

/// The usual reasons why a text is not valid JSON, so that the finding can name the cause.
enum UnreadableText {
    /// An HTML page. Servers often return one if the file does not exist.
    case page
    /// A comma after the last element or member.
    case trailingComma
    /// Only white space.
    case empty
    /// An S/MIME message: signed, but not in a form that Apple's systems read.
    case mail
    /// Front matter for a site generator: lines between two `---` before the JSON.
    case frontMatter
    /// A string without its closing quotation mark, and the column of its beginning.
    case openString(column: Int)
    /// A curly quotation mark where JSON needs a straight one.
    case curlyQuote(Unicode.Scalar)

    /// Finds the cause of an error, or returns `nil` if none of these causes applies.
    init?(_ bytes: [UInt8], _ error: JSONError) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if text.drop(while: isSpace).first == UInt8(ascii: "<") {
            self = .page
            return
        }
        if error.code == .empty {
            self = .empty
            return
        }
        let beginnings: [(String, UnreadableText)] = [
            ("MIME-Version:", .mail), ("---\n", .frontMatter), ("---\r\n", .frontMatter),
        ]
        if let found = beginnings.first(where: { text.starts(with: $0.0.utf8) }) {
            self = found.1
            return
        }
        let offset = error.position.offset
        if error.code == .controlCharacter, bytes.indices.contains(offset), [0x0A, 0x0D].contains(bytes[offset]),
            let column = Self.columnOfOpenString(bytes[..<offset])
        {
            self = .openString(column: column)
            return
        }
        if error.code == .unexpectedCharacter, bytes.indices.contains(offset),
            let mark = String(decoding: bytes[offset...].prefix(3), as: UTF8.self).unicodeScalars.first,
            Self.curlyQuotes.contains(mark)
        {
            self = .curlyQuote(mark)
            return
        }
        guard bytes.indices.contains(offset), "]}".utf8.contains(bytes[offset]),
            bytes[..<offset].last(where: { !isSpace($0) }) == UInt8(ascii: ",")
        else { return nil }
        self = .trailingComma
    }

    /// The quotation marks that word processors use instead of `"` and `'`. Each has three bytes in UTF-8.
    private static let curlyQuotes: Set<Unicode.Scalar> = ["“", "”", "„", "‘", "’"]

    /// Whether an array looks like the statements of an `assetlinks.json` (Android, "Digital Asset Links").
    static func isAssetLinks(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        return head.contains("\"delegate_permission/") || (head.contains("\"relation\"") && head.contains("\"target\""))
    }

    /// The column at which the string begins that the line break after these bytes interrupts. `nil` if the string
    /// begins on an earlier line.
    private static func columnOfOpenString(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? bytes.startIndex
        var opening: Int?
        var index = start
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "\"") { opening = opening == nil ? index : nil }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        // Columns are counted in Unicode scalars.
        return opening.map { bytes[start..<$0].count { $0 & 0xC0 != 0x80 } + 1 }
    }
}

extension FindingKind {
    /// The finding for bytes that cannot be read, with the usual cause if one applies.
    static func unreadable(_ error: AssociationError, of bytes: [UInt8]) -> FindingKind {
        if case .rootIsNotAnObject = error, UnreadableText.isAssetLinks(bytes) { return .assetLinks }
        guard case .invalidJSON(let fault) = error else { return .unreadable(error, nil) }
        return .unreadable(error, UnreadableText(bytes, fault))
    }
}

extension AssociationError {
    /// The problem and the remedy, in the sentences of lint (WM001 to WM004, WM086).
    ///
    /// - Parameter bytes: The bytes that could not be read.
    public func advice(on bytes: [UInt8]) -> String {
        let problem = FindingKind.unreadable(self, of: bytes)
        return "\(problem.message) \(problem.remedy)"
    }
}

extension Linter {
    /// RFC 8259, section 8.1: a JSON text must not begin with a byte order mark. It is unknown whether iOS accepts one.
    func lintByteOrderMark() {
        guard source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        add(
            .byteOrderMark, JSONPointer(),
            fix: Fix(
                title: "Remove the byte order mark", keepsOutcomes: true,
                edits: [Fix.Edit(offset: 0, length: 3, text: "")]))
    }
}

/// The form of a URL's parts for comparison with patterns.
struct ComparedForm: Hashable, Sendable, BitwiseCopyable {
    /// Whether letters are folded (`caseSensitive: false`).
    let isFolded: Bool
    /// Whether the text is percent-decoded (`percentEncoded: false`).
    let isDecoded: Bool

    init(isFolded: Bool, isDecoded: Bool) {
        self.isFolded = isFolded
        self.isDecoded = isDecoded
    }

    /// Creates a form from its number.
    init(number: Int) { self.init(isFolded: number & 1 != 0, isDecoded: number & 2 != 0) }

    /// The form's number, from 0 to 3.
    var number: Int { (isFolded ? 1 : 0) + (isDecoded ? 2 : 0) }
}

/// A URL's parts in the forms that rules need. The memory is reused for the next URL. Each form is created on first
/// use.
struct PreparedURL: ~Copyable {
    typealias Part = URLSplit.Part

    /// A query item: its prepared name and value.
    struct Item: BitwiseCopyable {
        let hash: UInt32
        let name: Part
        let value: Part
    }

    /// The bytes of all texts: first the URL as given, then the prepared forms.
    private var bytes = ScratchMemory<UInt8>(capacity: 1_024)
    /// The items of all forms, form by form.
    private var items = ScratchMemory<Item>(capacity: 16)
    /// The path, query and fragment of each form. Undefined until created.
    private var texts = ScratchMemory<Part>(capacity: 12)
    /// The range of each form's items. Undefined until created.
    private var itemRanges = ScratchMemory<Part>(capacity: 4)
    /// One bit for each created text, and one for the created items of each form.
    private var made: UInt32 = 0

    private var path = Part(offset: 0, count: 0)
    private var query: Part?
    private var fragment: Part?
    /// Whether the query and the fragment have been repaired. They are repaired on first use, because few rules need
    /// them.
    private var areRepaired = false

    init() {
        _ = texts.reserve(12)
        _ = itemRanges.reserve(4)
    }

    /// Loads a URL. Returns the place of its host as written, or `nil` for a relative URL.
    mutating func load(_ url: UnsafeBufferPointer<UInt8>) throws(URLFault) -> Part? {
        let split = try URLSplit(url)
        reset()
        let start = bytes.reserve(url.count)
        if let source = url.baseAddress { (bytes.start + start).update(from: source, count: url.count) }
        path = repaired(split.path, .path)
        query = split.query
        fragment = split.fragment
        areRepaired = false
        return split.host
    }

    /// Loads parts that are already split and repaired.
    mutating func load(_ parts: URLParts) {
        reset()
        path = append(parts.path)
        query = nil
        fragment = nil
        areRepaired = true
        if let part = parts.query { query = append(part) }
        if let part = parts.fragment { fragment = append(part) }
    }

    /// The bytes of a part. They are valid until the next text is created.
    @inline(__always)
    func view(_ part: Part) -> TextView {
        TextView(start: UnsafePointer(bytes.start + part.offset), count: part.count, identity: part.offset)
    }

    /// The path, decoded before it is normalised. With `percentEncoded: false`, `/a/b` matches `/a%2Fb` [OBS].
    mutating func path(_ form: ComparedForm) -> Part {
        let number = 3 * form.number
        if isMade(number) { return texts.start[number] }
        let decoded = form.isDecoded ? decoded(path) : path
        let start = bytes.reserve(decoded.count + PathNormalization.room)
        let range = PathNormalization.write(source(decoded), to: bytes.start + start)
        bytes.cut(to: start + range.upperBound)
        let text = Part(offset: start + range.lowerBound, count: range.count)
        return keep(form.isFolded ? folded(text) : text, number)
    }

    /// The query: "The whole raw query without the `?`, absent = empty" [OBS].
    mutating func query(_ form: ComparedForm) -> Part {
        repair()
        return text(query, form, 3 * form.number + 1)
    }

    /// The fragment: "The text after `#`, absent = empty" [OBS].
    mutating func fragment(_ form: ComparedForm) -> Part {
        repair()
        return text(fragment, form, 3 * form.number + 2)
    }

    /// The query items of a form, in order. See ``item(_:)``.
    mutating func items(_ form: ComparedForm) -> Range<Int> {
        let number = 12 + form.number
        if !isMade(number) {
            repair()
            let start = items.count
            makeItems(form)
            itemRanges.start[form.number] = Part(offset: start, count: items.count - start)
            made |= 1 << UInt32(number)
        }
        let range = itemRanges.start[form.number]
        return range.offset..<range.offset + range.count
    }

    @inline(__always)
    func item(_ index: Int) -> Item { items.start[index] }

    /// A hash of the bytes (FNV-1a).
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    private mutating func reset() {
        bytes.cut(to: 0)
        items.cut(to: 0)
        made = 0
    }

    private mutating func repair() {
        if areRepaired { return }
        areRepaired = true
        if let part = query { query = repaired(part, .queryOrFragment) }
        if let part = fragment { fragment = repaired(part, .queryOrFragment) }
    }

    private func isMade(_ number: Int) -> Bool { made >> UInt32(number) & 1 == 1 }

    private mutating func keep(_ part: Part, _ number: Int) -> Part {
        texts.start[number] = part
        made |= 1 << UInt32(number)
        return part
    }

    private mutating func text(_ part: Part?, _ form: ComparedForm, _ number: Int) -> Part {
        if isMade(number) { return texts.start[number] }
        guard let part else { return keep(Part(offset: 0, count: 0), number) }
        return keep(prepared(part, form), number)
    }

    /// "Separators `&` only (`;` is not), first `=` only, `+` is not a space. Names and values are taken in encoded or
    /// decoded form according to `percentEncoded`" [REP]/[INF]. The query is split before decoding, so `%26` is not a
    /// separator.
    private mutating func makeItems(_ form: ComparedForm) {
        // As in NSURLComponents, an empty query has no item, but two adjacent separators have an empty item between
        // them.
        guard let query, query.count > 0 else { return }
        let end = query.offset + query.count
        var start = query.offset
        while start <= end {
            var mark = start
            while mark < end, bytes.start[mark] != UInt8(ascii: "="), bytes.start[mark] != UInt8(ascii: "&") {
                mark += 1
            }
            var stop = mark
            while stop < end, bytes.start[stop] != UInt8(ascii: "&") { stop += 1 }
            // "`?flag` and `?flag=` both have the value empty" [OBS].
            let value = min(mark + 1, stop)
            // Names are "compared exactly, even with `caseSensitive: false`" [REP].
            let written = Part(offset: start, count: mark - start)
            let name = form.isDecoded ? decoded(written) : written
            let text = prepared(Part(offset: value, count: stop - value), form)
            items.append(Item(hash: Self.hash(source(name)), name: name, value: text))
            start = stop + 1
        }
    }

    private mutating func prepared(_ part: Part, _ form: ComparedForm) -> Part {
        let decoded = form.isDecoded ? decoded(part) : part
        return form.isFolded ? folded(decoded) : decoded
    }

    private func source(_ part: Part) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes.start + part.offset, count: part.count)
    }

    private mutating func append(_ text: [UInt8]) -> Part {
        let start = bytes.reserve(text.count)
        for (index, byte) in text.enumerated() { bytes.start[start + index] = byte }
        return Part(offset: start, count: text.count)
    }

    private mutating func repaired(_ part: Part, _ kind: URLEncoding.Part) -> Part {
        if URLEncoding.isValid(source(part), kind) { return part }
        let start = bytes.reserve(3 * part.count)
        let count = URLEncoding.repair(source(part), kind, to: bytes.start + start)
        bytes.cut(to: start + count)
        return Part(offset: start, count: count)
    }

    /// Decodes a text. Text that does not decode to UTF-8 is compared as written. It is unknown how Apple's systems
    /// handle it [UNK].
    private mutating func decoded(_ part: Part) -> Part {
        guard source(part).contains(UInt8(ascii: "%")) else { return part }
        let start = bytes.reserve(part.count)
        guard let count = URLEncoding.decode(source(part), to: bytes.start + start) else {
            bytes.cut(to: start)
            return part
        }
        bytes.cut(to: start + count)
        return Part(offset: start, count: count)
    }

    private mutating func folded(_ part: Part) -> Part {
        let start = bytes.reserve(CaseFolding.room(for: source(part)))
        let count = CaseFolding.fold(source(part), to: bytes.start + start)
        bytes.cut(to: start + count)
        return Part(offset: start, count: count)
    }
}

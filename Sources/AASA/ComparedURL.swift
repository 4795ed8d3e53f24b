/// How a URL's parts are prepared before a pattern is compared with them.
struct ComparedForm: Hashable, Sendable {
    /// Letters folded (`caseSensitive: false`).
    let isFolded: Bool
    /// Percent-decoded (`percentEncoded: false`).
    let isDecoded: Bool

    fileprivate var index: Int { (isFolded ? 1 : 0) + (isDecoded ? 2 : 0) }
}

/// A URL's parts in the forms that rules ask for; each is made once, when it is first asked for.
final class ComparedURL {
    /// What an absent part is compared as.
    let empty = ComparedText([])

    private let parts: URLParts
    private var paths: [ComparedText?] = [nil, nil, nil, nil]
    private var queries: [ComparedText?] = [nil, nil, nil, nil]
    private var fragments: [ComparedText?] = [nil, nil, nil, nil]
    private var items: [[[UInt8]: [ComparedText]]?] = [nil, nil, nil, nil]

    init(_ parts: URLParts) { self.parts = parts }

    /// The path, decoded before it is normalised: with `percentEncoded: false` `/a/b` matches `/a%2Fb` [OBS].
    func path(_ form: ComparedForm) -> ComparedText {
        if let known = paths[form.index] { return known }
        var bytes = PathNormalization.normalized(Self.decoded(parts.path, form))
        if form.isFolded { bytes = CaseFolding.folded(bytes) }
        let text = ComparedText(bytes)
        paths[form.index] = text
        return text
    }

    /// "The whole raw query without the `?`, absent = empty" [OBS].
    func query(_ form: ComparedForm) -> ComparedText {
        if let known = queries[form.index] { return known }
        let text = parts.query.map { Self.text($0, form) } ?? empty
        queries[form.index] = text
        return text
    }

    /// "The text after `#`, absent = empty" [OBS].
    func fragment(_ form: ComparedForm) -> ComparedText {
        if let known = fragments[form.index] { return known }
        let text = parts.fragment.map { Self.text($0, form) } ?? empty
        fragments[form.index] = text
        return text
    }

    /// The values of the query items of a name, in order.
    func values(of name: [UInt8], _ form: ComparedForm) -> [ComparedText] {
        if let known = items[form.index] { return known[name] ?? [] }
        var values: [[UInt8]: [ComparedText]] = [:]
        // "Separators `&` only (`;` is not), first `=` only, `+` is not a space. Names and values are taken in encoded
        // or decoded form according to `percentEncoded`" [REP]/[INF]. Split before decoding, so `%26` separates
        // nothing.
        for item in (parts.query ?? []).split(separator: UInt8(ascii: "&")) {
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            // "`?flag` and `?flag=` both have the value empty" [OBS].
            let value = item[mark...].dropFirst()
            values[Self.decoded(Array(item[..<mark]), form), default: []].append(Self.text(Array(value), form))
        }
        items[form.index] = values
        return values[name] ?? []
    }

    private static func text(_ bytes: [UInt8], _ form: ComparedForm) -> ComparedText {
        let decoded = decoded(bytes, form)
        return ComparedText(form.isFolded ? CaseFolding.folded(decoded) : decoded)
    }

    /// What does not decode to UTF-8 is compared as written; what Apple's systems do then is unknown [UNK].
    private static func decoded(_ bytes: [UInt8], _ form: ComparedForm) -> [UInt8] {
        form.isDecoded ? URLEncoding.decoded(bytes) ?? bytes : bytes
    }
}

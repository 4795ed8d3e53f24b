/// The texts of a URL's parts for comparison with patterns, in the given reading of the open rules. Each text is
/// created on first use and cached. ``ComparedURL`` is the faster form for decisions.
final class URLTexts {
    /// A query item in the URL.
    struct Item {
        let name: [UInt8]
        let value: [UInt8]
    }

    private let parts: URLParts
    private let reading: PatternReading
    private var known = [Prepared<[UInt8]>?](repeating: nil, count: 16)
    private var knownItems: [TextForm: Prepared<[Item]>] = [:]

    private enum Part: Int {
        case path
        case writtenPath
        case query
        case fragment
    }

    private typealias Prepared<Value> = (value: Value, openRules: Set<OpenRule>)

    /// A byte that never occurs in UTF-8. In an alternative reading, it replaces a part that does not decode to UTF-8,
    /// so that only a single star matches the part.
    static let undecodable: [UInt8] = [0xFF]

    init(_ parts: URLParts, reading: PatternReading) {
        self.parts = parts
        self.reading = reading
    }

    /// The path for comparison. Its slashes are normalised unless `asWritten` is true. Adds the open rules that can
    /// affect it to `met`.
    func path(_ form: TextForm, asWritten: Bool = false, _ met: inout Set<OpenRule>) -> [UInt8] {
        prepared(asWritten ? .writtenPath : .path, form, &met)
    }

    /// The query for comparison.
    func query(_ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] { prepared(.query, form, &met) }

    /// The fragment for comparison.
    func fragment(_ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] { prepared(.fragment, form, &met) }

    /// The query items, in order.
    func items(_ form: TextForm, _ met: inout Set<OpenRule>) -> [Item] {
        if let (items, openRules) = knownItems[form] {
            if !openRules.isEmpty { met.formUnion(openRules) }
            return items
        }
        var openRules: Set<OpenRule> = []
        let items = split(form, &openRules)
        knownItems[form] = (items, openRules)
        met.formUnion(openRules)
        return items
    }

    private func prepared(_ part: Part, _ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        let key = part.rawValue * 4 + form.index
        if let (text, openRules) = known[key] {
            if !openRules.isEmpty { met.formUnion(openRules) }
            return text
        }
        var openRules: Set<OpenRule> = []
        let text =
            switch part {
            case .path: preparedPath(form, asWritten: false, &openRules)
            case .writtenPath: preparedPath(form, asWritten: true, &openRules)
            // "The whole raw query without the `?`, absent = empty" [OBS].
            case .query: slashed(parts.query ?? [], form, &openRules)
            // "The text after `#`, absent = empty" [OBS].
            case .fragment: slashed(parts.fragment ?? [], form, &openRules)
            }
        known[key] = (text, openRules)
        met.formUnion(openRules)
        return text
    }

    /// The path, decoded before it is normalised. With `percentEncoded: false`, `/a/b` matches `/a%2Fb` [OBS].
    private func preparedPath(_ form: TextForm, asWritten: Bool, _ met: inout Set<OpenRule>) -> [UInt8] {
        var path = decoded(withoutOddities(parts.path, &met), form, &met)
        if path == Self.undecodable { return path }
        if !asWritten { path = normalized(path, &met) }
        return form.isFolded ? reading.folded(path, &met) : path
    }

    /// The normalised path. In the usual reading, a star at the end of a URL's path has the same effect as in a pattern
    /// [REP]. In the alternative reading, it is an ordinary character.
    private func normalized(_ path: [UInt8], _ met: inout Set<OpenRule>) -> [UInt8] {
        guard path.contains(UInt8(ascii: "*")), reading.departs(from: .starsInURL, &met) else {
            return PathNormalization.normalized(path)
        }
        let slash = UInt8(ascii: "/")
        return path.split(separator: slash).reduce(into: [slash]) { $0 += $1 + [slash] }
    }

    private func slashed(_ bytes: [UInt8], _ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        let text = text(bytes, form, &met)
        return text == Self.undecodable ? text : reading.slashed(text, &met)
    }

    /// "Separators `&` only (`;` is not), first `=` only, `+` is not a space. Names and
    /// values are taken in encoded or decoded form according to `percentEncoded`" [REP]/[INF].
    private func split(_ form: TextForm, _ met: inout Set<OpenRule>) -> [Item] {
        var (query, form) = (parts.query ?? [], form)
        if form.isDecoded, Self.holdsEscapedSeparator(query), reading.departs(from: .splitBeforeDecoding, &met) {
            query = decoded(query, form, &met)
            form = TextForm(isFolded: form.isFolded, isDecoded: false)
        }
        let splitsAtSemicolons =
            query.contains(UInt8(ascii: ";")) && reading.departs(from: .querySemicolon, &met)
        let separators: [UInt8] = splitsAtSemicolons ? Array("&;".utf8) : Array("&".utf8)
        return query.split { separators.contains($0) }.map { item($0, form, &met) }
    }

    private static func holdsEscapedSeparator(_ query: [UInt8]) -> Bool {
        let query = String(decoding: query, as: UTF8.self).lowercased()
        return query.contains("%26") || query.contains("%3d")
    }

    private func item(_ item: ArraySlice<UInt8>, _ form: TextForm, _ met: inout Set<OpenRule>) -> Item {
        let equals = UInt8(ascii: "=")
        let mark = item.firstIndex(of: equals) ?? item.endIndex
        let name = Array(item[..<mark])
        // "`?flag` and `?flag=` both have the value empty" [OBS].
        var value = Array(item[mark...].dropFirst())
        if value.contains(equals), reading.departs(from: .firstEquals, &met) {
            value = Array(value.prefix { $0 != equals })
        }
        if form.isDecoded, value.contains(UInt8(ascii: "+")), reading.departs(from: .plusIsNoSpace, &met) {
            value = value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        }
        let isOtherwise = name.contains(UInt8(ascii: "%")) && reading.departs(from: .queryItemNameEncoding, &met)
        let nameForm = TextForm(isFolded: false, isDecoded: form.isDecoded != isOtherwise)
        return Item(name: decoded(name, nameForm, &met), value: text(value, form, &met))
    }

    private func text(_ bytes: [UInt8], _ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        let decoded = decoded(bytes, form, &met)
        return form.isFolded && decoded != Self.undecodable ? reading.folded(decoded, &met) : decoded
    }

    /// Decodes a text. Text that does not decode to UTF-8 is compared as written. It is unknown how Apple's systems
    /// handle it [UNK].
    private func decoded(_ bytes: [UInt8], _ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        guard form.isDecoded else { return bytes }
        if let decoded = URLEncoding.decoded(bytes) { return decoded }
        if reading.departs(from: .invalidUTF8, &met) { return Self.undecodable }
        return reading.departs(from: .substitutedUTF8, &met) ? URLEncoding.decodedWithSubstitutes(bytes) : bytes
    }

    /// The path with dot segments and parameters. In the usual reading they are literal text [INF]. In the alternative
    /// readings, dot segments are resolved, or parameters are removed.
    private func withoutOddities(_ path: [UInt8], _ met: inout Set<OpenRule>) -> [UInt8] {
        var segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let (dot, dots) = (Array(".".utf8)[...], Array("..".utf8)[...])
        if segments.contains(where: { $0 == dot || $0 == dots }), reading.departs(from: .dotSegments, &met) {
            var kept: [ArraySlice<UInt8>] = []
            for segment in segments where segment != dot {
                if segment == dots, kept.count > 1 {
                    kept.removeLast()
                } else if segment != dots {
                    kept.append(segment)
                }
            }
            segments = kept
        }
        if path.contains(UInt8(ascii: ";")), reading.departs(from: .pathParameters, &met) {
            segments = segments.map { $0.prefix { $0 != UInt8(ascii: ";") } }
        }
        return Array(segments.joined(separator: [UInt8(ascii: "/")]))
    }
}

/// The form of a URL's parts for comparison with patterns.
struct TextForm: Hashable {
    /// Whether letters are folded (`caseSensitive: false`).
    let isFolded: Bool
    /// Whether the text is percent-decoded (`percentEncoded: false`).
    let isDecoded: Bool

    /// The same form without folding.
    var withLetterCase: TextForm { TextForm(isFolded: false, isDecoded: isDecoded) }

    /// A number from 0 to 3.
    var index: Int { (isFolded ? 1 : 0) + (isDecoded ? 2 : 0) }
}

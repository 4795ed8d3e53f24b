/// The texts of a URL's parts as patterns are compared with them, in one reading of the rules.
///
/// Each is made when it is first asked for and kept. ``ComparedURL`` is the same made for speed.
final class URLTexts {
    /// A query item that the URL has.
    struct Item {
        let name: [UInt8]
        let value: [UInt8]
    }

    private let parts: URLParts
    private let reading: PatternReading
    private let normalizes: Bool
    private var known = [Prepared<[UInt8]>?](repeating: nil, count: 12)
    private var knownItems: [TextForm: Prepared<[Item]>] = [:]

    private enum Part: Int {
        case path
        case query
        case fragment
    }

    private typealias Prepared<Value> = (value: Value, openRules: Set<OpenRule>)

    init(_ parts: URLParts, reading: PatternReading, os system: SystemVersion) {
        self.parts = parts
        self.reading = reading
        // Whether iOS 9 to 12 tolerate a slash at the end is unknown [UNK].
        normalizes = !(system == .ios9 && reading.departure == .trailingSlashBefore13)
    }

    /// The path as it is compared; `met` gains the open rules that it may rest on.
    func path(_ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] { prepared(.path, form, &met) }

    /// The query as it is compared.
    func query(_ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] { prepared(.query, form, &met) }

    /// The fragment as it is compared.
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
            case .path: preparedPath(form, &openRules)
            // "The whole raw query without the `?`, absent = empty" [OBS].
            case .query: text(parts.query ?? [], form, &openRules)
            case .fragment: preparedFragment(form, &openRules)
            }
        known[key] = (text, openRules)
        met.formUnion(openRules)
        return text
    }

    /// The path, decoded before it is normalised: with `percentEncoded: false` `/a/b` matches `/a%2Fb` [OBS].
    private func preparedPath(_ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        var path = decoded(withoutOddities(parts.path, &met), form, &met)
        if normalizes { path = PathNormalization.normalized(path) }
        return form.isFolded ? reading.folded(path, &met) : path
    }

    /// "The text after `#`, absent = empty" [OBS]. "Not slash-normalised" [REP]/[INF].
    private func preparedFragment(_ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        let fragment = text(parts.fragment ?? [], form, &met)
        let isLikePath = fragment.first == UInt8(ascii: "/")
        return isLikePath && reading.departs(from: .fragmentSlashes, &met)
            ? PathNormalization.normalized(fragment) : fragment
    }

    /// "Separators `&` only (`;` is not), first `=` only, `+` is not a space. Names and
    /// values are taken in encoded or decoded form according to `percentEncoded`" [REP]/[INF].
    private func split(_ form: TextForm, _ met: inout Set<OpenRule>) -> [Item] {
        let query = parts.query ?? []
        let splitsAtSemicolons =
            query.contains(UInt8(ascii: ";")) && reading.departs(from: .querySemicolon, &met)
        let separators: [UInt8] = splitsAtSemicolons ? Array("&;".utf8) : Array("&".utf8)
        return query.split { separators.contains($0) }.map { item in
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let name = Array(item[..<mark])
            // "`?flag` and `?flag=` both have the value empty" [OBS].
            var value = Array(item[mark...].dropFirst())
            if form.isDecoded, value.contains(UInt8(ascii: "+")), reading.departs(from: .plusIsNoSpace, &met) {
                value = value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
            }
            let namesDecoded =
                !form.isDecoded && name.contains(UInt8(ascii: "%"))
                && reading.departs(from: .queryItemNameEncoding, &met)
            let nameForm = TextForm(isFolded: false, isDecoded: form.isDecoded || namesDecoded)
            return Item(name: decoded(name, nameForm, &met), value: text(value, form, &met))
        }
    }

    private func text(_ bytes: [UInt8], _ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        let decoded = decoded(bytes, form, &met)
        return form.isFolded ? reading.folded(decoded, &met) : decoded
    }

    /// What does not decode to UTF-8 is compared as written; what Apple's systems do then is unknown [UNK].
    private func decoded(_ bytes: [UInt8], _ form: TextForm, _ met: inout Set<OpenRule>) -> [UInt8] {
        guard form.isDecoded else { return bytes }
        if let decoded = URLEncoding.decoded(bytes) { return decoded }
        // No pattern holds this byte, so nothing but a star matches.
        return reading.departs(from: .invalidUTF8, &met) ? [0] : bytes
    }

    /// Dot segments and parameters are ordinary text [INF].
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

/// How a URL's parts are prepared before a pattern is compared with them.
struct TextForm: Hashable {
    /// Letters folded (`caseSensitive: false`).
    let isFolded: Bool
    /// Percent-decoded (`percentEncoded: false`).
    let isDecoded: Bool

    /// A number from 0 to 3.
    var index: Int { (isFolded ? 1 : 0) + (isDecoded ? 2 : 0) }
}

import StrictJSON

/// Converts rules to `paths` for iOS 9 to 12.
///
/// These systems compare only the path, as written, and support neither variables nor `defaults`. They must never open
/// more URLs than later systems do. So a rule that opens URLs becomes paths that match the same URLs or fewer. A rule
/// that excludes URLs becomes paths that match the same URLs or more. Because the first match decides, every URL that
/// opens on iOS 9 to 12 also opens on later systems.
struct LegacyPaths {
    /// The maximum number of paths for one pattern with its variables written out. A pattern that needs more is not
    /// written out.
    static let maximumExpansion = 64

    private let variables: VariableReading
    private let defaults: [RuleFields]
    /// The remaining bytes for writing out variables.
    private var bytesLeft: Int

    /// - Parameters:
    ///   - draft: The draft, for its variables and its defaults.
    ///   - entryDefaults: The entry's defaults. They take precedence over the draft's defaults.
    ///   - bytes: The maximum number of bytes for writing out variables.
    init(_ draft: Draft, entryDefaults: RuleFields, bytes: Int) {
        variables = VariableReading(.object(Draft.object(draft.substitutionVariables)))
        defaults = [entryDefaults, draft.defaults]
        bytesLeft = bytes
    }

    /// Returns the elements of `paths` for a rule, in order, and the loss if they cannot express the rule completely.
    mutating func paths(_ rule: RuleFields) -> (paths: [String], loss: (kind: LegacyLoss.Kind, detail: String)?) {
        let excludes = effective(rule, \.exclude) ?? false
        let isPartial = !isUnconstrained(effective(rule, \.query)) || !isUnconstrained(effective(rule, \.fragment))
        if isPartial, !excludes { return ([], (.leftOut, "\"paths\" cannot compare queries and fragments.")) }
        let path = Array((effective(rule, \.path) ?? "*").utf8)
        guard path != [UInt8(ascii: "*")] else {
            let loss = isPartial ? (LegacyLoss.Kind.broadened, Self.partial) : nil
            return ([excludes ? "NOT *" : "*"], loss)
        }
        let isFolded = effective(rule, \.caseSensitive) == false
        let isDecoded = effective(rule, \.percentEncoded) == false
        let pattern = ResolvedPattern(
            PathNormalization.normalized(path), isFolded: false,
            reading: PatternReading(departure: nil, variables: variables))
        // Such a pattern never matches [REP].
        if pattern.defect != nil { return ([], nil) }
        let texts = expanded(pattern)
        if excludes {
            let (paths, detail) = excluding(pattern, texts, isFolded: isFolded, isDecoded: isDecoded)
            let lost = isPartial ? Self.partial : detail
            return (paths.map { "NOT " + $0 }, lost.map { (.broadened, $0) })
        }
        return opening(texts, hasBackslash: path.contains(UInt8(ascii: "\\")), isFolded: isFolded, isDecoded: isDecoded)
    }

    private static let partial =
        "\"paths\" cannot compare queries and fragments, so every URL with this path is excluded."

    private mutating func opening(
        _ texts: [String]?, hasBackslash: Bool, isFolded: Bool, isDecoded: Bool
    ) -> (paths: [String], loss: (kind: LegacyLoss.Kind, detail: String)?) {
        if hasBackslash { return ([], (.leftOut, "The meaning of a backslash in \"paths\" is not known.")) }
        guard let texts else { return ([], (.leftOut, "The variables have too many values to write them out.")) }
        let safe = texts.filter { Self.isStable($0) && (!isDecoded || Self.isSameDecoded($0)) }
        if safe.isEmpty, !texts.isEmpty {
            return ([], (.leftOut, "\"paths\" compare URLs as written, so this pattern could match other URLs there."))
        }
        let isNarrower = isFolded || isDecoded || safe.count < texts.count
        return (
            safe.flatMap(Self.spellings),
            isNarrower ? (.narrowed, "\"paths\" compare URLs as written, so other spellings do not open the app.") : nil
        )
    }

    private mutating func excluding(
        _ pattern: ResolvedPattern, _ texts: [String]?, isFolded: Bool, isDecoded: Bool
    ) -> (paths: [String], loss: String?) {
        var paths: [String] = []
        var detail: String?
        if let texts, texts.allSatisfy(Self.isStable) {
            paths = texts
        } else {
            detail = "The variables cannot be written out, so any text in their place is excluded."
            paths = [Self.broad(pattern)]
        }
        if isFolded {
            let all = paths.map { String(String.UnicodeScalarView($0.unicodeScalars.map(Self.anyCase))) }
            if all != paths {
                detail = "\"paths\" are case-sensitive, so any character in place of a letter is excluded."
            }
            paths = all
        }
        paths = paths.flatMap(Self.spellings)
        if isDecoded {
            // A path without `%` is the same after decoding.
            paths.append("*%*")
            detail = "\"paths\" compare URLs as written, so every URL with a % in its path is excluded."
        }
        return (Self.unique(paths), detail)
    }

    /// The effective value for a rule: its own value, its entry's default, or the draft's default.
    private func effective<Value>(_ rule: RuleFields, _ field: KeyPath<RuleFields, Value?>) -> Value? {
        rule[keyPath: field] ?? defaults.lazy.compactMap { $0[keyPath: field] }.first
    }

    private func isUnconstrained(_ pattern: String?) -> Bool {
        pattern.map { !$0.isEmpty && $0.utf8.allSatisfy { $0 == UInt8(ascii: "*") } } ?? true
    }

    private func isUnconstrained(_ query: RuleFields.Query?) -> Bool {
        switch query {
        case nil: true
        case .whole(let pattern): isUnconstrained(pattern)
        case .items(let items): items.allSatisfy { isUnconstrained($0.pattern) }
        }
    }
}

extension LegacyPaths {
    /// The pattern, written out for all values of its variables, or `nil` if there are too many.
    private mutating func expanded(_ pattern: ResolvedPattern) -> [String]? {
        var texts: [[UInt8]] = [[]]
        for piece in pattern.pieces {
            let endings: [[UInt8]]
            switch piece {
            case .literal(let literal): endings = [literal]
            case .one: endings = [[UInt8(ascii: "?")]]
            case .run: endings = [[UInt8(ascii: "*")]]
            case .variable(_, let values): endings = values.map { Array($0.text.utf8) }
            }
            guard texts.count * endings.count <= Self.maximumExpansion else { return nil }
            texts = texts.flatMap { text in endings.map { text + $0 } }
        }
        if texts.count > 1 {
            let size = texts.reduce(0) { $0 + $1.count }
            guard size <= bytesLeft else { return nil }
            bytesLeft -= size
        }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The pattern with each variable replaced by `*`.
    private static func broad(_ pattern: ResolvedPattern) -> String {
        var text: [UInt8] = []
        for piece in pattern.pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .one: text.append(UInt8(ascii: "?"))
            case .run, .variable: if text.last != UInt8(ascii: "*") { text.append(UInt8(ascii: "*")) }
            }
        }
        let result = String(decoding: text, as: UTF8.self)
        return isStable(result) ? result : "*"
    }

    /// Whether normalisation leaves the pattern unchanged, so that it has the same meaning on every system.
    private static func isStable(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PathNormalization.normalized(bytes) == bytes && !bytes.contains(UInt8(ascii: "\\"))
    }

    /// Whether every path that matches the pattern as written also matches after decoding. This is the case for plain
    /// text with at most a `*` at the end.
    private static func isSameDecoded(_ text: String) -> Bool {
        let head = text.utf8.last == UInt8(ascii: "*") ? text.utf8.dropLast() : text.utf8[...]
        return !head.contains { "%?*".utf8.contains($0) }
    }

    /// The pattern with and without the slash at the end. It is unknown whether iOS 9 to 12 ignore this slash [UNK], so
    /// "emit both spellings". `/a/*` also matches `/a` [OBS].
    static func spellings(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        let tail = bytes.last == UInt8(ascii: "*") ? bytes.dropLast() : bytes[...]
        guard tail.last == UInt8(ascii: "/"), tail.count > 1, bytes != [UInt8(ascii: "/")] else { return [text] }
        let short = tail.dropLast()
        // Without the slash, the star at the end would match more.
        if short.last == UInt8(ascii: "*") { return [text] }
        return [text, String(decoding: short, as: UTF8.self)]
    }

    /// Replaces a character that may have more than one letter case with `?`.
    private static func anyCase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "a"..."z", "A"..."Z", "\u{80}"...: "?"
        default: scalar
        }
    }

    private static func unique(_ paths: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return paths.filter { seen.insert(Array($0.utf8)).inserted }
    }
}

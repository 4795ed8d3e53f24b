import StrictJSON

/// A pattern as written in the file, with its place and the way it is compared.
struct WrittenPattern {
    /// The part of a URL that a pattern applies to, in words.
    enum Part: String {
        case path
        case query
        case queryItem = "query item"
        case fragment
    }

    let part: Part
    let text: String
    let pointer: JSONPointer
    /// The shape of the pattern as written, not normalised.
    let shape: PatternShape
    /// Whether URLs are percent-decoded before they are compared with it.
    let isDecoded: Bool
    /// The text before the pattern: `NOT ` in `paths`.
    let prefix: String
    /// Whether it is an element of `paths`.
    let isInPaths: Bool
    /// Whether the rule excludes the URLs that it matches.
    let excludes: Bool

    /// The JSON value with the pattern replaced.
    func value(_ pattern: String) -> JSONValue { .string(prefix + pattern) }

    /// The literal characters.
    var literals: [UInt32] {
        shape.tokens.compactMap { if case .character(let scalar) = $0 { scalar } else { nil } }
    }
}

extension Linter {
    /// The patterns in an object of component keys, without those from `defaults`.
    func writtenPatterns(
        in component: JSONObject, _ pointer: JSONPointer, _ reading: ComponentReading
    ) -> [WrittenPattern] {
        let (isFolded, isDecoded) = (!reading.caseSensitive, !reading.percentEncoded)
        func pattern(_ part: WrittenPattern.Part, _ text: String, _ pointer: JSONPointer) -> WrittenPattern {
            WrittenPattern(
                part: part, text: text, pointer: pointer,
                shape: PatternShape(Array(text.utf8), isFolded: isFolded, variables: variables), isDecoded: isDecoded,
                prefix: "", isInPaths: false, excludes: reading.excludes)
        }
        var result: [WrittenPattern] = []
        for member in component.members {
            switch (member.name, member.value) {
            case ("/", .string(let text)): result.append(pattern(.path, text, pointer.appending("/")))
            case ("#", .string(let text)): result.append(pattern(.fragment, text, pointer.appending("#")))
            case ("?", .string(let text)): result.append(pattern(.query, text, pointer.appending("?")))
            case ("?", .object(let items)):
                let place = pointer.appending("?")
                for item in items.members {
                    guard let text = item.value.string else { continue }
                    result.append(pattern(.queryItem, text, place.appending(item.name)))
                }
            default: break
            }
        }
        return result
    }

    /// The pattern of an element of `paths`, or `nil` if the element is not a string.
    func writtenPath(_ value: JSONValue, _ pointer: JSONPointer, defaults: [JSONObject]) -> WrittenPattern? {
        guard let text = value.string, let entry = PathEntry(value) else { return nil }
        let reading = ComponentReading(path: value, defaults: defaults, os: .latest)
        return WrittenPattern(
            part: .path, text: entry.path, pointer: pointer,
            shape: PatternShape(
                Array(entry.path.utf8), isFolded: !reading.caseSensitive, variables: variables),
            isDecoded: !reading.percentEncoded,
            prefix: String(decoding: text.utf8.dropLast(entry.path.utf8.count), as: UTF8.self), isInPaths: true,
            excludes: entry.excludes || reading.excludes)
    }
}

import StrictJSON

/// Compares two rules part by part.
enum PartComparison {
    private typealias Part = Difference.PartChange.Part

    /// The parts whose meaning differs, with their effective values. Also comments and unknown keys that differ.
    static func effective(_ before: PlacedRule, _ after: PlacedRule) -> [Difference.PartChange] {
        let (old, new) = (before.meaning, after.meaning)
        var parts: [Difference.PartChange] = []
        func add(_ part: Part, _ isDifferent: Bool, _ value: (PlacedRule) -> JSONValue?) {
            // If only `caseSensitive` changed, the pattern is not listed as changed.
            guard isDifferent, value(before) != value(after) else { return }
            parts.append(Difference.PartChange(part: part, before: value(before), after: value(after)))
        }
        add(.path, old.path != new.path) { $0.reading.path.map { .string($0) } }
        add(.query, old.query != new.query) { $0.reading.query.json }
        add(.fragment, old.fragment != new.fragment) { $0.reading.fragment.map { .string($0) } }
        add(.exclude, old.excludes != new.excludes) { .bool($0.reading.excludes) }
        add(.caseSensitive, old.caseSensitive != new.caseSensitive) { .bool($0.reading.caseSensitive) }
        add(.percentEncoded, old.percentEncoded != new.percentEncoded) { .bool($0.reading.percentEncoded) }
        return parts + written(before, after).filter { [.comment, .extras, .form].contains($0.part) }
    }

    /// The parts whose text differs, with their values as written in the files.
    static func written(_ before: PlacedRule, _ after: PlacedRule) -> [Difference.PartChange] {
        if before.json == after.json, before.isPath == after.isPath { return [] }
        guard !before.isPath, !after.isPath, let old = before.json?.object, let new = after.json?.object else {
            let part: Part = before.isPath && after.isPath ? .path : .form
            return [Difference.PartChange(part: part, before: before.json, after: after.json)]
        }
        var parts: [Difference.PartChange] = []
        for (key, part) in names where old[key.rawValue] != new[key.rawValue] {
            parts.append(Difference.PartChange(part: part, before: old[key.rawValue], after: new[key.rawValue]))
        }
        let (oldExtras, newExtras) = (extras(old), extras(new))
        if oldExtras != newExtras {
            parts.append(
                Difference.PartChange(
                    part: .extras, before: oldExtras.isEmpty ? nil : .object(oldExtras),
                    after: newExtras.isEmpty ? nil : .object(newExtras)))
        }
        return parts
    }

    private static let names: [(ComponentKey, Part)] = [
        (.path, .path), (.query, .query), (.fragment, .fragment), (.exclude, .exclude),
        (.caseSensitive, .caseSensitive), (.percentEncoded, .percentEncoded), (.comment, .comment),
    ]

    private static func extras(_ component: JSONObject) -> JSONObject {
        JSONObject(
            component.members.filter { ComponentKey(rawValue: $0.name) == nil }.map { ($0.name, $0.value) })
    }
}

extension ComponentReading.Query {
    /// The query in the form of the file, or `nil` for any query.
    var json: JSONValue? {
        switch self {
        case .any: nil
        case .whole(let pattern): .string(pattern)
        case .items(let items): .object(JSONObject(items.map { ($0.name, .string($0.pattern)) }))
        }
    }
}

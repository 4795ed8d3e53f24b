import AASA
import StrictJSON

/// URLs that a file's patterns are likely to distinguish: each pattern with its wildcards replaced, and near misses.
///
/// They are made directly from the file's JSON, independently of how the library reads the file.
enum SampleURLs {
    /// Texts for each part of a URL. A query starts with `?` and a fragment with `#`; an empty text is none.
    private struct Parts {
        var paths: [String]
        var queries: [String]
        var fragments: [String]

        /// Every path alone, and the first paths with every query and every fragment.
        func urls(joining count: Int) -> [String] {
            let joined = paths.prefix(count).flatMap { path in
                queries.flatMap { query in fragments.map { path + query + $0 } }
            }
            return (paths + joined).map { "https://www.example.com" + $0 }
        }
    }

    /// The URLs, sorted and without duplicates.
    static func urls(for association: Association) -> [String] {
        let rules = rules(in: .object(association.root))
        let all = Parts(
            paths: unique(["/", "/a", "/A", "/foo/a", "/foo/B", "/FOO/b", "/x y"] + rules.flatMap(\.paths)),
            queries: unique(["", "?a=1", "?x=y&a=b"] + rules.flatMap(\.queries)),
            fragments: unique(["", "#f"] + rules.flatMap(\.fragments)))
        // The parts of a rule are combined with each other; those of `defaults` are combined with every path.
        return unique(rules.flatMap { $0.urls(joining: 1) } + all.urls(joining: 6))
    }

    /// The parts of every component, every `defaults` and every element of `paths`, anywhere in the file.
    private static func rules(in value: JSONValue) -> [Parts] {
        switch value {
        case .array(let elements): return elements.flatMap { rules(in: $0) }
        case .object(let object):
            var result = object.members.flatMap { rules(in: $0.value) }
            for case .string(let path) in object["paths"]?.array ?? [] {
                result.append(Parts(paths: paths(path), queries: [""], fragments: [""]))
            }
            if object["/"] != nil || object["?"] != nil || object["#"] != nil {
                let fragment = object["#"]?.string.map { "#" + filled($0, "x", "y") }
                result.append(
                    Parts(
                        paths: object["/"]?.string.map(paths) ?? ["/a"], queries: queries(object["?"]),
                        fragments: unique(["", fragment ?? "", (fragment ?? "#") + "z"])))
            }
            return result
        default: return []
        }
    }

    /// Paths for a pattern: first one that it is likely to match, then others and near misses.
    private static func paths(_ pattern: String) -> [String] {
        let path = pattern.hasPrefix("NOT ") ? String(pattern.dropFirst(4)) : pattern
        return [("x", "q"), ("", "q"), ("x/y", "/")].flatMap { run, one in
            let text = filled(path, run, one)
            let rooted = text.hasPrefix("/") ? text : "/" + text
            return [rooted, rooted.uppercased(), rooted + "z"]
        }
    }

    /// Queries: none, the required one, and the required one without an item, with another value, or with a name in the
    /// other letter case.
    private static func queries(_ wanted: JSONValue?) -> [String] {
        switch wanted {
        case .string(let text)?:
            let query = "?" + filled(text, "x", "y")
            return unique(["", query, query + "z", query.uppercased()])
        case .object(let object)?:
            let items = object.members.map { (name: $0.name, value: filled($0.value.string ?? "", "x", "y")) }
            let whole = items.map { "\($0.name)=\($0.value)" }
            let near = items.indices.flatMap { index in
                let (name, value) = items[index]
                return ["", "\(name)=\(value)z", "\(name)=", "\(name.uppercased())=\(value)"].map { item in
                    var changed = whole
                    changed[index] = item
                    return changed.filter { !$0.isEmpty }
                }
            }
            return unique([""] + ([whole] + near).map { "?" + $0.joined(separator: "&") })
        default: return ["", "?x=y"]
        }
    }

    private static func filled(_ pattern: String, _ run: String, _ one: String) -> String {
        pattern.map { $0 == "*" ? run : $0 == "?" ? one : $0 == "#" ? "" : String($0) }.joined()
    }

    private static func unique(_ texts: [String]) -> [String] { Set(texts).sorted() }
}

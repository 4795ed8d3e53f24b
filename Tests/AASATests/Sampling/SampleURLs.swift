import AASA
import StrictJSON

/// URLs that a file's patterns are likely to tell apart: each pattern with its wildcards filled in, and near misses.
///
/// Made from the file's text alone, so that they owe nothing to what the library makes of it.
enum SampleURLs {
    /// Texts for each part of a URL; those of query and fragment with their `?` and `#`, or empty for none.
    private struct Parts {
        var paths: [String]
        var queries: [String]
        var fragments: [String]

        /// Every path alone, and the first ones with every query and every fragment.
        func urls(joining count: Int) -> [String] {
            let joined = paths.prefix(count).flatMap { path in
                queries.flatMap { query in fragments.map { path + query + $0 } }
            }
            return (paths + joined).map { "https://www.example.com" + $0 }
        }
    }

    /// The URLs, each once, sorted.
    static func urls(for association: Association) -> [String] {
        let rules = rules(in: .object(association.root))
        let all = Parts(
            paths: unique(["/", "/a", "/A", "/foo/a", "/foo/B", "/FOO/b", "/x y"] + rules.flatMap(\.paths)),
            queries: unique(["", "?a=1", "?x=y&a=b"] + rules.flatMap(\.queries)),
            fragments: unique(["", "#f"] + rules.flatMap(\.fragments)))
        // A rule's own parts belong together; what `defaults` ask for belongs to any path.
        return unique(rules.flatMap { $0.urls(joining: 1) } + all.urls(joining: 6))
    }

    /// What each component, each `defaults` and each element of `paths` asks for, wherever it stands.
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

    /// A path that the pattern is likely to match first, then others and near misses.
    private static func paths(_ pattern: String) -> [String] {
        let path = pattern.hasPrefix("NOT ") ? String(pattern.dropFirst(4)) : pattern
        return [("x", "q"), ("", "q"), ("x/y", "/")].flatMap { run, one in
            let text = filled(path, run, one)
            let rooted = text.hasPrefix("/") ? text : "/" + text
            return [rooted, rooted.uppercased(), rooted + "z"]
        }
    }

    /// None, what is wanted, and what is wanted with one item left out, of another value, or of a name in the other
    /// case.
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

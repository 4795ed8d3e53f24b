import AASA
import StrictJSON

/// URLs that a file's patterns are likely to tell apart: each pattern with its wildcards filled in, and near misses.
enum SampleURLs {
    static func urls(for association: Association) -> [String] {
        var paths: Set<String> = ["/", "/a", "/A", "/foo/a", "/foo/B", "/FOO/b", "/x y"]
        var queries: Set<String> = ["", "?a=1", "?x=y&a=b"]
        var fragments: Set<String> = ["", "#f"]
        collect(.object(association.root), key: "", &paths, &queries, &fragments)
        let base = "https://www.example.com"
        let plain = paths.map { base + $0 }
        let few = paths.sorted().prefix(6)
        let mixed = few.flatMap { path in
            queries.flatMap { query in fragments.map { base + path + query + $0 } }
        }
        return (plain + mixed).sorted()
    }

    private static func collect(
        _ value: JSONValue, key: String, _ paths: inout Set<String>, _ queries: inout Set<String>,
        _ fragments: inout Set<String>
    ) {
        switch value {
        case .string(let text):
            switch key {
            case "/", "paths": add(text, to: &paths)
            case "?": queries.insert("?" + filled(text, "x", "y"))
            case "#": fragments.insert("#" + filled(text, "x", "y"))
            default: break
            }
        case .array(let elements):
            for element in elements { collect(element, key: key, &paths, &queries, &fragments) }
        case .object(let object):
            for member in object.members {
                if key == "?", let text = member.value.string {
                    queries.insert("?\(member.name)=\(filled(text, "x", "y"))")
                } else {
                    collect(member.value, key: member.name, &paths, &queries, &fragments)
                }
            }
        default: break
        }
    }

    private static func add(_ pattern: String, to paths: inout Set<String>) {
        let path = pattern.hasPrefix("NOT ") ? String(pattern.dropFirst(4)) : pattern
        for (run, one) in [("", "q"), ("x", "q"), ("x/y", "/")] {
            let text = filled(path, run, one)
            let rooted = text.hasPrefix("/") ? text : "/" + text
            paths.formUnion([rooted, rooted.uppercased(), rooted + "z"])
        }
    }

    private static func filled(_ pattern: String, _ run: String, _ one: String) -> String {
        pattern.map { $0 == "*" ? run : $0 == "?" ? one : $0 == "#" ? "" : String($0) }.joined()
    }
}

import AASA
import CAllocationCount
import Glibc

/// Compares a whole decision for all apps, starting with the URL's text, with glibc's `fnmatch` and PCRE2 with its JIT.
/// The other two get only the prepared path, and try each app's patterns in order up to the first match.
enum DecisionBenchmark {
    static func run() {
        let association = CompiledAssociation(Sample.association)
        var decider = Decider()
        let urls = Sample.urls
        var opened = 0
        var works: [() -> Void] = [
            { for url in urls where decider.decide(url, by: association).app != nil { opened += 1 } }
        ]
        var names = ["Decider"]

        // In plain memory, so that the loops of the other two have no extra cost.
        let paths = plain(Sample.paths.map { $0.withCString { strdup($0) } })
        let globs = plain(Sample.patterns.map { plain($0.map { glob in normalized(glob).withCString { strdup($0) } }) })
        names.append("fnmatch(3)")
        works.append {
            for path in paths {
                for app in globs {
                    for glob in app where fnmatch(glob, path, 0) == 0 {
                        opened += 1
                        break
                    }
                }
            }
        }
        if let library = PCRE2() {
            let texts = plain(Sample.paths.map { plain(Array($0.utf8)) })
            let expressions = plain(
                Sample.patterns.map { plain($0.compactMap { library.compile(expression($0)) }) })
            names.append("PCRE2 with JIT")
            works.append {
                for text in texts {
                    for app in expressions {
                        for expression in app where library.matches(expression, text) {
                            opened += 1
                            break
                        }
                    }
                }
            }
        } else {
            print("PCRE2 is not installed (libpcre2-8.so.0): skipped")
        }
        check(association, globs)
        let times = Stopwatch.compare(works)
        for (name, time) in zip(names, times) {
            let perURL = time / Double(urls.count) * 1e9
            print("\(name): \(Stopwatch.text(perURL)) ns a URL, \(Stopwatch.text(time / times[0])) × the Decider's")
        }
        countAllocations(&decider, association, urls)
    }

    /// Copies elements to plain memory. The memory is never freed, because it is used until the process ends.
    private static func plain<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return UnsafeBufferPointer(memory)
    }

    /// Checks that all results agree; otherwise the comparison is meaningless.
    private static func check(
        _ association: CompiledAssociation,
        _ globs: UnsafeBufferPointer<UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>>
    ) {
        for (url, path) in zip(Sample.urls, Sample.paths) {
            for (app, verdict) in association.evaluate(url).apps.enumerated() {
                let matches = globs[app].contains { glob in path.withCString { fnmatch(glob, $0, 0) == 0 } }
                if matches != (verdict.outcome == .opens) { print("results differ: \(url) for \(verdict.app)") }
            }
        }
    }

    private static func countAllocations(
        _ decider: inout Decider, _ association: CompiledAssociation, _ urls: [String]
    ) {
        for round in 1...2 {
            let before = allocation_count()
            for _ in 0..<10_000 {
                for url in urls { _ = decider.decide(url, by: association) }
            }
            let made = allocation_count() - before
            print("allocations in 80,000 decisions, round \(round): \(made)")
        }
    }

    /// The pattern with the slash that normalization adds.
    private static func normalized(_ glob: String) -> String {
        glob.hasSuffix("*") || glob.hasSuffix("/") ? glob : glob + "/"
    }

    private static func expression(_ glob: String) -> String {
        normalized(glob).map { $0 == "*" ? ".*" : $0 == "?" ? "." : $0 == "-" ? "\\-" : String($0) }.joined()
    }
}

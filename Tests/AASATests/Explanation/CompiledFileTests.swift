import Testing

@testable import AASA

@Suite("Compiled files")
struct CompiledFileTests {
    @Test("explainers on many threads share a file and say what an explainer alone says")
    func sharing() async throws {
        let file = try Association(
            parsing: Array(
                #"""
                {"applinks":{"substitutionVariables":{"food":["burrito","b*"]},"details":[{"appIDs":["ABCDE12345.com.example.app"],
                "components":[{"/":"/$(region)/*"},{"/":"/buy/$(food)?","?":{"a":"?*"}},{"/":"/é/*","caseSensitive":false}]}]}}
                """#.utf8))
        let urls = ["/US/shop", "/buy/burrito1?a=b", "/buy/bx?a=%2B", "/%C3%89/x", "/É/x;y=1", "//buy//b/", "/us/a\\b"]
        let alone = urls.map { Explainer(file).evaluate($0, explaining: .allApps).json }
        let shared = CompiledFile(file)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { urls.map { Explainer(shared).evaluate($0, explaining: .allApps).json } }
            }
            for await answers in group { #expect(answers == alone) }
        }
        #expect(urls.map { Explainer(shared).evaluate($0, explaining: .allApps).json } == alone)
    }
}

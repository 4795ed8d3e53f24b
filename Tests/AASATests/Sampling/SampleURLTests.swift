import StrictJSON
import Testing

@testable import AASA

@Suite("URLs generated from patterns")
struct SampleURLTests {
    private func file(_ components: JSONValue, _ more: JSONObject = [:]) -> Association {
        var applinks: JSONObject = ["details": [["appIDs": ["ABCDE12345.a"], "components": components]]]
        for member in more.members { applinks[member.name] = member.value }
        return Association(root: ["applinks": .object(applinks)])
    }

    @Test(
        "a rule gets a URL that it decides",
        arguments: [
            ["/": "/buy/*"], ["/": "buy"], ["/": "*"], ["/": "/id/????"], ["/": "/?*"], ["/": "*.html"],
            ["/": "/a b", "percentEncoded": false], ["/": "/é/%", "percentEncoded": false], ["/": "/%C3%A9"],
            ["?": "id=*&x=?"], ["?": ["id": "????", "$web_only": "true"]], ["#": "section-*"], ["#": "/a?b"],
            ["?": ["a&b=c": "&=?*"], "percentEncoded": false], ["/": "/$(lang)-$(region)/$(digit)$(xdigit)*"],
            ["/": "/$(shop)/$(alnum)", "#": "$(shop)"], ["/": "/A", "caseSensitive": false], [:],
            ["/": "/$(upper)$(lower)$(alpha)"],
        ] as [JSONValue])
    func matches(rule: JSONValue) {
        let association = file([rule], ["substitutionVariables": ["shop": ["berlin-*", "paris"]]])
        let samples = association.sampleURLs()
        let match = samples.first { $0.purpose == .match }
        #expect(match?.rule?.description == "/applinks/details/0/components/0", "\(samples.prefix(8))")
        if let match { #expect(association.evaluate(match.url).outcome == .opens, "\(match.url)") }
    }

    @Test("a rule after others gets a URL that it decides, or else one that an earlier rule decides")
    func behindOthers() {
        let samples = file([["/": "/x*", "exclude": true], ["/": "/*"], ["/": "/a"]]).sampleURLs()
        func purposes(_ rule: String) -> [SampleURL.Purpose] {
            samples.filter { $0.rule?.tokens.last == rule }.map(\.purpose)
        }
        #expect(purposes("0").contains(.match))
        #expect(purposes("1").contains(.match))
        #expect(!purposes("2").contains(.match))
        #expect(purposes("2").contains(.overlap))
    }

    @Test("patterns give URLs that match two rules, near misses and other spellings")
    func kinds() {
        let samples = file([["/": "/shop/*", "exclude": true], ["/": "*/print", "?": ["a": "1"]]]).sampleURLs()
        func urls(_ purpose: SampleURL.Purpose) -> Set<String> {
            Set(samples.filter { $0.purpose == purpose }.map(\.url))
        }
        #expect(urls(.crossing).contains("/shop/x/print?a=1"))
        #expect(urls(.nearMiss).isSuperset(of: ["/shopz", "/sho", "/x/print", "/x/printz?a=1", "/x/print?a=1z"]))
        #expect(urls(.spelling).isSuperset(of: ["/SHOP/X", "/shop/%78", "/x/print?A=1"]))
        #expect(urls(.anywhere).contains("/"))
    }

    @Test("URLs are few, short, relative, ASCII, different and reproducible, and a match is decided by its rule")
    func shape() {
        for seed in 0..<200 {
            var files = AlikeFiles(seed: UInt64(seed))
            let association = files.file()
            let samples = association.sampleURLs(limit: 40)
            #expect(samples == association.sampleURLs(limit: 40))
            #expect(samples.count <= 40)
            #expect(Set(samples.map(\.url)).count == samples.count)
            for sample in samples {
                #expect(sample.url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect(sample.url.hasPrefix("/") && !sample.url.hasPrefix("//"))
                let evaluation = association.evaluate(sample.url)
                #expect(evaluation.ineligibility == nil)
                if sample.purpose == .match {
                    #expect(evaluation.apps.contains { $0.decidedBy == sample.rule }, "\(sample)")
                }
            }
        }
    }

    @Test("patterns that are too long give no URL, and no limit is exceeded")
    func limits() {
        let long = "/" + String(repeating: "a", count: 5_000)
        #expect(file([["/": .string(long)]]).sampleURLs().allSatisfy { $0.url.utf8.count <= SampleURL.maximumLength })
        let many = file(.array((0..<1_000).map { ["/": .string("/section-\($0)/*")] }))
        #expect(many.sampleURLs().count == 500)
        #expect(many.sampleURLs(limit: 0).isEmpty)
        #expect(many.sampleURLs(limit: -1).isEmpty)
    }

    @Test("almost every rule of real files that can decide a URL gets such a URL", Corpus.condition)
    func corpus() throws {
        var (rules, shown) = (0, 0)
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            let samples = association.sampleURLs(limit: 2_000)
            let all = Set(samples.filter { $0.purpose == .match || $0.purpose == .overlap }.compactMap(\.rule))
            rules += all.count
            shown += Set(samples.filter { $0.purpose == .match }.compactMap(\.rule)).count
        }
        print("samples: \(shown) of \(rules) rules of the corpus decide about a URL made for them")
        #expect(shown * 10 > rules * 8)
    }
}
